const NOFOLLOW = /(?:^|[\t\n\f\r ])nofollow(?:$|[\t\n\f\r ])/i

/**
 * Returns whether the `rel` of a link contains the word `nofollow`, in any case (HTML standard, "link types").
 */
export function isNofollow(rel: string | undefined): boolean {
  return rel !== undefined && NOFOLLOW.test(rel)
}

/** Returns the link types in a `rel` attribute, in lower case. */
export function relKeywords(rel: string | undefined): string[] {
  return (rel ?? '').toLowerCase().split(/[\t\n\f\r ]+/)
}
