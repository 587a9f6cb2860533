/**
 * Returns the scheme, host and port of a canonical URL, without a trailing slash: `https://example.com:8443`.
 */
export function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
}
