interface Resending {
  /** True if the request may share a connection of HTTP/2 again: the server was well, but didn't take it. */
  readonly isShared?: boolean
  /** True if the connection ended before the server took the request. It may be sent again if that happens again. */
  readonly isUntaken?: boolean
}

/**
 * A connection that was kept alive ended, or brought what is no response, before a response began. It does that
 * whatever it is asked, so the request may be sent once more on another one (RFC 9112, 9.3.1).
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
