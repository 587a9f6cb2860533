/** What shows whether the content of a URL has changed. */
export interface ContentVersion {
  /** Value of ETag (RFC 9110, 8.8.3), weak ones included. */
  readonly etag?: string
  /** Value of Last-Modified, as it came (RFC 9110, 8.8.2). */
  readonly lastModified?: string
  /**
   * SHA-256 in hexadecimal: of the decoded body, as far as it was read, or of where a redirect leads.
   * Absent when the URL is gone.
   */
  readonly digest?: string
}

/** How the content of a URL differs from its last visit. */
export type Change = 'new' | 'changed' | 'same' | 'gone'

const NOT_MODIFIED = 304

/** Returns whether a status says that the URL has no content (any more). */
export function isGone(status: number): boolean {
  return status === 404 || status === 410
}

/** Returns whether a status says something about the server, and nothing about the content. */
export function saysNothing(status: number): boolean {
  return status === NOT_MODIFIED || status === 429 || status >= 500
}

/**
 * @param before what the last visit gave; null when there was none
 * @param status undefined when there was no answer
 * @param digest of what there is now
 * @returns undefined where it can't be told: there was no answer, or one that is no content
 */
export function changeOf(
  before: ContentVersion | null,
  status: number | undefined,
  digest?: string,
): Change | undefined {
  if (before === null) return 'new'
  if (status === undefined) return undefined
  if (status === NOT_MODIFIED) return 'same'
  if (saysNothing(status)) return undefined
  // The content of a URL that was gone before has no digest.
  if (isGone(status)) return before.digest === undefined ? 'same' : 'gone'
  return before.digest === digest ? 'same' : 'changed'
}
