/** Properties of a response that show whether the content of a URL has changed. */
export interface ContentVersion {
  /** Value of ETag (RFC 9110, 8.8.3), weak ones included. */
  readonly etag?: string
  /** Value of Last-Modified, as received (RFC 9110, 8.8.2). */
  readonly lastModified?: string
  /**
   * SHA-256 in hexadecimal of the decoded body, as far as it was read, or of the target of a redirect.
   * Absent if the URL is gone.
   */
  readonly digest?: string
}

/** How the content of a URL differs from its last visit. */
export type Change = 'new' | 'changed' | 'same' | 'gone'

export const NOT_MODIFIED = 304

/** Returns whether a status means that the URL has no content, or no longer has any. */
export function isGone(status: number): boolean {
  return status === 404 || status === 410
}

/**
 * Returns whether a response with this status doesn't show the content of the URL: the content is not
 * modified, or the server is overloaded or fails.
 */
export function saysNothingAboutContent(status: number): boolean {
  return status === NOT_MODIFIED || status === 429 || status >= 500
}

/**
 * Returns how the content of a URL has changed since its last visit. Returns undefined if the response
 * doesn't show that, or there was none.
 * @param before version at the last visit; null if there was none
 * @param status status of the response; undefined if there was none
 * @param digest digest of the current content
 */
export function changeOf(
  before: ContentVersion | null,
  status: number | undefined,
  digest?: string,
): Change | undefined {
  if (before === null) return 'new'
  if (status === undefined) return undefined
  if (status === NOT_MODIFIED) return 'same'
  if (saysNothingAboutContent(status)) return undefined
  // The content of a URL that was gone before has no digest.
  if (isGone(status)) return before.digest === undefined ? 'same' : 'gone'
  return before.digest === digest ? 'same' : 'changed'
}
