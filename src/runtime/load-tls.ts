type Tls = typeof import('node:tls')

/**
 * Returns Node's TLS module, which is loaded at the first call. Loading takes 30 ms of CPU time, a tenth of the crawl
 * of one page, since Node starts a thread that reads 150 certificates of authorities.
 */
export function loadTls(): Tls {
  return process.getBuiltinModule('node:tls')
}
