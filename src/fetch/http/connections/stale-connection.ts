interface Resending {
  /** True if the request may share a connection of HTTP/2 again: the server works, but refused this request. */
  readonly isShared?: boolean
  /** True if the connection ended before the server processed the request. Then it may be sent again twice. */
  readonly isUntaken?: boolean
}

/**
 * The error of a request if its connection, which was kept alive, ended or received something else than a response
 * before the response began. The request is unlikely to be the cause, so it may be sent once more on another connection
 * (RFC 9112, 9.3.1).
 */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
  readonly isShared: boolean
  readonly isUntaken: boolean

  constructor(message: string, { isShared = false, isUntaken = false }: Resending = {}) {
    super(message)
    this.isShared = isShared
    this.isUntaken = isUntaken
  }
}
