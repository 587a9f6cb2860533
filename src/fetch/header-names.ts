/** A token: a method, or the name of a header (RFC 9110, 5.6.2). */
export const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** Headers of the connection and the body, which only the HTTP client sets. */
export const CONNECTION_HEADERS: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]
