/** Returns the percent-encoding of a byte, which is a character up to U+00FF (RFC 3986, 2.1). */
export function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
