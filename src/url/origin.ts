/**
 * Returns the scheme, host and port of a canonical URL, without a trailing slash: `https://example.com:8443`.
 */
export function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}

/** Returns the index at which the path of a canonical URL starts. */
export function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('//') + 2)
}
