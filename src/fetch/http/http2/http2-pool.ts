import type { ConnectionPool, ResponseListener, TransportRequest } from '../connection-pool.ts'
import type { Connector } from '../connections/connector.ts'
import { Exchange } from './exchange.ts'
import { type ConnectionWatch, openAgent, type UndiciAgent } from './undici.ts'

/** Milliseconds for which an idle connection is kept: there may be many servers. */
const MAX_IDLE_MS = 5_000

export interface Http2PoolOptions {
  readonly connect: Connector
  /** Connections to an origin at a time, at most, of either kind. */
  readonly perOrigin: number
  readonly watch: ConnectionWatch
  /** Milliseconds for a request. */
  readonly timeout: number
}

/** Connections of HTTP/2, to servers that have chosen it: kept alive, or for one request each. */
export class Http2Pool implements ConnectionPool {
  readonly #options: Http2PoolOptions
  #kept: UndiciAgent
  readonly #closing = new Set<UndiciAgent>()
  #fresh: UndiciAgent | undefined

  constructor(options: Http2PoolOptions) {
    this.#options = options
    this.#kept = this.#open({ pipelining: 1 })
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { isFresh } = request
    if (isFresh) this.#fresh ??= this.#open({ pipelining: 0 })
    const agent = isFresh ? (this.#fresh ?? this.#kept) : this.#kept
    agent.dispatch(request, new Exchange(request, listener))
  }

  /** Closes idle connections now, and the others once they are idle. */
  closeIdle(): void {
    const former = this.#kept
    this.#kept = this.#open({ pipelining: 1 })
    this.#closing.add(former)
    void former.close().finally(() => this.#closing.delete(former))
  }

  async destroy(): Promise<void> {
    const agents = [this.#kept, this.#fresh, ...this.#closing]
    await Promise.all(agents.map((agent) => agent?.destroy()))
  }

  /** @param pipelining 0 for connections with one request each */
  #open({ pipelining }: { readonly pipelining: 0 | 1 }): UndiciAgent {
    const { connect, perOrigin, watch, timeout } = this.#options
    const maxConcurrentStreams = pipelining === 0 ? 1 : perOrigin
    const options = {
      connections: perOrigin,
      pipelining,
      allowH2: true,
      h2Options: { maxConcurrentStreams, pingInterval: 0 },
      keepAliveTimeout: MAX_IDLE_MS,
      // A response handler has a deadline for the whole request. Later, a server that allows no stream is given up.
      headersTimeout: 2 * timeout,
      bodyTimeout: 0,
      connect,
    } as const
    return openAgent(options, watch)
  }
}
