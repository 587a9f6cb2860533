/** A connection that is kept alive. */
export interface KeptConnection {
  /** True while it serves no request. */
  readonly isIdle: boolean
  /** Time of `performance.now()` at which to close the idle connection; undefined if it closes itself. */
  readonly idleUntil?: number
  close(): void
}

/** Milliseconds between two checks for connections that were idle for too long. */
const CHECK_MS = 500

/**
 * Bounds the connections that are kept alive to all servers together, by number and by time. Beyond the number, the
 * connection that has been idle for longest is closed. Hosts get several requests in a row, so recently used
 * connections are likely to be needed next.
 */
export class KeptConnections {
  readonly #most: number
  /** Connections in the order of their last use, oldest first. */
  readonly #connections = new Set<KeptConnection>()
  #timer: NodeJS.Timeout | undefined

  /** @param most maximum number of connections, busy ones included; busy connections alone may exceed it */
  constructor(most: number) {
    this.#most = most
  }

  /** Notes that a connection was opened, or has served a request. */
  used(connection: KeptConnection): void {
    this.#connections.delete(connection)
    this.#connections.add(connection)
    this.#timer ??= setInterval(() => this.#closeExpired(), CHECK_MS).unref()
    if (this.#connections.size > this.#most) this.#closeOldest()
  }

  /** Notes that a connection was closed. */
  closed(connection: KeptConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #closeExpired(): void {
    const now = performance.now()
    for (const connection of this.#connections) {
      const { isIdle, idleUntil = Number.POSITIVE_INFINITY } = connection
      if (isIdle && idleUntil <= now) connection.close()
    }
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
