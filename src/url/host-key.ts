/**
 * Returns the host and port of a canonical URL, which is the unit of politeness. A default port is left out, so http
 * and https share a key: `example.com`, `example.com:8080`, `[::1]:8080`.
 */
export function hostKey(url: string): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start))
}

/** Returns the host of a host key, without its port. */
export function withoutPort(key: string): string {
  return key.replace(/:\d+$/, '')
}

/**
 * Returns the host and port of a canonical URL or origin, even if it is the default port: `example.com:443`,
 * `[::1]:8080`.
 */
export function hostAndPort(url: string): string {
  const [, scheme = '', host = ''] = /^([a-z]+):\/\/([^/]*)/.exec(url) ?? []
  return /:\d+$/.test(host) ? host : `${host}:${scheme === 'https' ? 443 : 80}`
}
