/** A connection that is kept alive. */
export interface KeptConnection {
  /** True while it serves no request. */
  readonly isIdle: boolean
  close(): void
}

/**
 * Bounds the connections that are kept alive, of all servers together.
 *
 * Beyond the bound, a connection is closed as it becomes idle. To close the one that has been idle for longest
 * instead would be of no use: hosts get their requests in turn, so that is the one which is needed next. What is
 * not needed is closed by its age.
 */
export class KeptConnections {
  readonly #most: number
  #open = 0

  /** @param most idle connections and busy ones; the latter may be more */
  constructor(most: number) {
    this.#most = most
  }

  /** Notes that a connection was opened. */
  opened(): void {
    this.#open++
  }

  /** Notes that a connection was closed. */
  closed(): void {
    this.#open--
  }

  /** Closes a connection that has just served a request, if there are too many and no request follows. */
  served(connection: KeptConnection): void {
    if (this.#open > this.#most) setImmediate(() => this.#closeIfIdle(connection))
  }

  #closeIfIdle(connection: KeptConnection): void {
    if (this.#open > this.#most && connection.isIdle) connection.close()
  }
}
