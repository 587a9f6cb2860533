/**
 * Returns the unit of politeness: host and port of a canonical URL, http and https together.
 * `example.com` for both default ports, `example.com:8080` or `[::1]:8080` otherwise.
 */
export function hostKey(url: string): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start))
}

/**
 * Returns host and port of a canonical URL or origin, default ports included: `example.com:443`,
 * `[::1]:8080`.
 */
export function hostAndPort(url: string): string {
  const [, scheme = '', host = ''] = /^([a-z]+):\/\/([^/]*)/.exec(url) ?? []
  return /:\d+$/.test(host) ? host : `${host}:${scheme === 'https' ? 443 : 80}`
}
