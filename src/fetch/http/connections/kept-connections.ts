/** A connection that is kept alive. */
export interface KeptConnection {
  /** True while it serves no request. */
  readonly isIdle: boolean
  close(): void
}

/**
 * Bounds the connections that are kept alive, of all servers together: beyond the bound, the one that has served
 * nothing for longest is closed. Hosts get requests in a row, so the last ones to serve are needed next.
 */
export class KeptConnections {
  readonly #most: number
  /** The longest without a request first. */
  readonly #connections = new Set<KeptConnection>()

  /** @param most idle connections and busy ones; the latter may be more */
  constructor(most: number) {
    this.#most = most
  }

  /** Notes that a connection was opened, or has served a request. */
  used(connection: KeptConnection): void {
    this.#connections.delete(connection)
    this.#connections.add(connection)
    if (this.#connections.size > this.#most) this.#closeOldest()
  }

  /** Notes that a connection was closed. */
  closed(connection: KeptConnection): void {
    this.#connections.delete(connection)
  }

  #closeOldest(): void {
    for (const connection of this.#connections) {
      if (!connection.isIdle) continue
      this.#connections.delete(connection)
      connection.close()
      return
    }
  }
}
