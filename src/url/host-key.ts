/**
 * The unit of politeness: host and port of a canonical URL, http and https together.
 * `example.com` for both default ports, `example.com:8080` or `[::1]:8080` otherwise.
 */
export function hostKey(url: string): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start))
}
