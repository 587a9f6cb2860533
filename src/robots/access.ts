export type RobotsAccess = 'parse' | 'allow-all' | 'disallow-all'

/**
 * What the answer to a request for /robots.txt permits (RFC 9309, 2.3.1). `status` is that of the
 * last answer, after at most five redirects; undefined when no answer came.
 */
export function robotsAccess(status: number | undefined): RobotsAccess {
  if (status === undefined) return 'disallow-all'
  if (status >= 200 && status < 300) return 'parse'
  // 2.3.1.3 says that a crawler MAY crawl after a 4xx. 429 speaks of load, not of a missing file
  // (RFC 6585, section 4), so we do not use that permission: like Google, we take it for a server error.
  if (status === 429) return 'disallow-all'
  // A redirect that is left over is the sixth one, or leads nowhere: unavailable (2.3.1.2).
  if (status >= 300 && status < 500) return 'allow-all'
  return 'disallow-all'
}
