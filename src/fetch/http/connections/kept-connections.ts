/** A connection that is kept alive. */
export interface KeptConnection {
  /** True while it serves no request. */
  readonly isIdle: boolean
  /** When it is closed unless it is used again, in milliseconds of the monotonic clock; undefined if it does that itself. */
  readonly idleUntil?: number
  close(): void
}

/** Milliseconds between two looks for connections that have been idle for too long. */
const CHECK_MS = 500

/**
 * Bounds the connections that are kept alive, of all servers together, by number and by time: beyond the number, the
 * one that has served nothing for longest is closed. Hosts get requests in a row, so the last ones to serve are needed
 * next.
 */
export class KeptConnections {
  readonly #most: number
  /** The longest without a request first. */
  readonly #connections = new Set<KeptConnection>()
  #timer: NodeJS.Timeout | undefined

  /** @param most idle connections and busy ones; the latter may be more */
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
