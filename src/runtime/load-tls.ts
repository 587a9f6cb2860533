type Tls = typeof import('node:tls')

/**
 * Loads Node's TLS, at the first call. It takes 30 ms of CPU, a tenth of the crawl of one page, since a thread of its
 * own reads 150 certificates of authorities.
 */
export function loadTls(): Tls {
  return process.getBuiltinModule('node:tls')
}
