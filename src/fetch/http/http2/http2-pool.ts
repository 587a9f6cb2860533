import type { Dispatcher } from 'undici'
import type { ConnectionPool, ResponseListener, TransportRequest } from '../connection-pool.ts'
import type { Connector } from '../connections/connector.ts'
import { type ConnectionWatch, openAgent, type UndiciAgent } from './undici.ts'

const MAX_HEADER_BYTES = 64 * 1024

/** Milliseconds for which an idle connection is kept, whatever the server says: there may be many servers. */
const MAX_IDLE_MS = 5_000

/** Connections of HTTP/2, or of HTTP/1.1 where a server doesn't offer that: kept alive, or for one request each. */
export class Http2Pool implements ConnectionPool {
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

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { isFresh } = request
    if (isFresh) this.#fresh ??= this.#open({ pipelining: 0 })
    const agent = isFresh ? (this.#fresh ?? this.#kept) : this.#kept
    // Without a name, undici would take that of the site for the name of the proxy that is asked for it.
    const servername = 'host' in request.headers ? new URL(request.origin).hostname : undefined
    agent.dispatch({ ...request, ...(servername && { servername }) }, handlerOf(listener))
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
      allowH2: true,
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

/** Returns undici's handler for a listener. */
function handlerOf(listener: ResponseListener): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (control) => listener.onRequestStart(control),
    onResponseStart: (control, ...head) => listener.onResponseStart(control, ...head),
    onResponseData: (control, bytes) => listener.onResponseData(control, bytes),
    onResponseEnd: () => listener.onResponseEnd(),
    onResponseError: (_, error) => listener.fail(error),
  }
}
