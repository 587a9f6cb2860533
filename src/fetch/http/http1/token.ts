const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Returns whether a text may be a method or the name of a header (RFC 9110, 5.6.2). */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
