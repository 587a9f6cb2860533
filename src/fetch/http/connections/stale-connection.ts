/**
 * A connection that was kept alive ended, or brought what is no response, before a response began. It does that
 * whatever it is asked, so the request may be sent once more on another one (RFC 9112, 9.3.1).
 */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
  /** False if the request may share a connection of HTTP/2 again: the server was well, but didn't take it. */
  readonly needsOwnConnection: boolean

  constructor(message: string, needsOwnConnection = true) {
    super(message)
    this.needsOwnConnection = needsOwnConnection
  }
}
