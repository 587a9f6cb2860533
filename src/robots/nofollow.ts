const NOFOLLOW = /(?:^|[\t\n\f\r ])nofollow(?:$|[\t\n\f\r ])/i

/** Whether the `rel` of a link says `nofollow` (HTML, "link types"): a list of words in any case. */
export function isNofollow(rel: string | undefined): boolean {
  return rel !== undefined && NOFOLLOW.test(rel)
}
