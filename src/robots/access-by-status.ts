export type RobotsAccess = 'parse' | 'allow-all' | 'disallow-all'

/**
 * Returns what the response to a request for /robots.txt permits (RFC 9309, 2.3.1).
 * @param status of the last response, after at most five redirects; undefined without a response
 */
export function robotsAccess(status: number | undefined): RobotsAccess {
  if (status === undefined) return 'disallow-all'
  if (status >= 200 && status < 300) return 'parse'
  // 2.3.1.3 lets a crawler access all URLs after a 4xx. 429 reports load, not a missing file
  // (RFC 6585, section 4), so it counts as a server error, as it does for Google.
  if (status === 429) return 'disallow-all'
  // An unresolved redirect is the sixth one or leads nowhere: unavailable (2.3.1.2).
  if (status >= 300 && status < 500) return 'allow-all'
  return 'disallow-all'
}
