const NOFOLLOW = /(?:^|[\t\n\f\r ])nofollow(?:$|[\t\n\f\r ])/i

/**
 * Returns whether the `rel` of a link, a list of words in any case, includes `nofollow` (HTML,
 * "link types").
 */
export function isNofollow(rel: string | undefined): boolean {
  return rel !== undefined && NOFOLLOW.test(rel)
}

/** The link types that a `rel` attribute holds, lower case. */
export function relKeywords(rel: string | undefined): string[] {
  return (rel ?? '').toLowerCase().split(/[\t\n\f\r ]+/)
}
