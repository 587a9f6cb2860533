interface Resending {
  /** True if the request may share a connection of HTTP/2 again: the server works, but refused this request. */
  readonly isShared?: boolean
  /** True if the connection ended before the server processed the request. Then it may be sent again twice. */
  readonly isUnprocessed?: boolean
}

/**
 * The error of a request if its connection, which was kept alive, ended or received something else than a response
 * before the response began. The request is unlikely to be the cause, so it may be sent once more on another connection
 * (RFC 9112, 9.3.1).
 */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
  readonly isShared: boolean
  readonly isUnprocessed: boolean

  constructor(message: string, { isShared = false, isUnprocessed = false }: Resending = {}) {
    super(message)
    this.isShared = isShared
    this.isUnprocessed = isUnprocessed
  }
}
