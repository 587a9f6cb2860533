import type { Dispatcher } from 'undici'
import { type ConnectionWatch, type Connector, openAgent, type UndiciAgent } from './undici.ts'

const MAX_HEADER_BYTES = 64 * 1024

/** Milliseconds for which an idle connection is kept, whatever the server says: there may be many servers. */
const MAX_IDLE_MS = 5_000

/** A request, and how it is sent. */
export interface TransportRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** True if it needs a connection of its own. */
  readonly isFresh: boolean
}

/** Connections to all origins: kept alive, or for one request each. */
export class ConnectionPool {
  readonly #connect: Connector
  readonly #perOrigin: number
  readonly #watch: ConnectionWatch
  #kept: UndiciAgent
  readonly #closing = new Set<UndiciAgent>()
  #fresh: UndiciAgent | undefined

  /**
   * @param perOrigin maximum connections to an origin at a time, of either kind
   */
  constructor(connect: Connector, perOrigin: number, watch: ConnectionWatch) {
    this.#connect = connect
    this.#perOrigin = perOrigin
    this.#watch = watch
    this.#kept = this.#open({ pipelining: 1 })
  }

  /** @param isFresh whether the request needs a new connection */
  dispatch(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    isFresh: boolean,
  ): void {
    if (isFresh) this.#fresh ??= this.#open({ pipelining: 0 })
    const agent = isFresh ? (this.#fresh ?? this.#kept) : this.#kept
    agent.dispatch(request, handler)
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

  /** @param pipelining requests on a connection at a time; 0 for one request, and no other */
  #open({ pipelining }: { readonly pipelining: 0 | 1 }): UndiciAgent {
    const options = {
      connections: this.#perOrigin,
      pipelining,
      allowH2: this.#watch.http2,
      h2Options: { maxConcurrentStreams: this.#perOrigin, pingInterval: 0 },
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      // A response handler has a deadline for the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connect,
    } as const
    return openAgent(options, this.#watch)
  }
}
