/**
 * Returns scheme, host and port of a canonical URL: `https://example.com:8443`, without a trailing
 * slash.
 */
export function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
}
