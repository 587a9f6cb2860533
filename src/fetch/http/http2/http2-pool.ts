import type { Dispatcher } from 'undici'
import type { ResponseHeaders } from '../../fetcher.ts'
import type {
  ConnectionPool,
  ResponseControl,
  ResponseListener,
  TransportRequest,
} from '../connection-pool.ts'
import type { Connector } from '../connections/connector.ts'
import { StaleConnection } from '../connections/stale-connection.ts'
import { type ConnectionWatch, openAgent, type UndiciAgent } from './undici.ts'

/** Milliseconds for which an idle connection is kept: there may be many servers. */
const MAX_IDLE_MS = 5_000

/** Connections of HTTP/2, to servers that have chosen it: kept alive, or for one request each. */
export class Http2Pool implements ConnectionPool {
  readonly #connect: Connector
  readonly #perOrigin: number
  readonly #watch: ConnectionWatch
  readonly #timeout: number
  #kept: UndiciAgent
  readonly #closing = new Set<UndiciAgent>()
  #fresh: UndiciAgent | undefined

  /**
   * @param perOrigin maximum connections to an origin at a time, of either kind
   * @param timeout milliseconds for a request
   */
  constructor(connect: Connector, perOrigin: number, watch: ConnectionWatch, timeout: number) {
    this.#connect = connect
    this.#perOrigin = perOrigin
    this.#watch = watch
    this.#timeout = timeout
    this.#kept = this.#open({ pipelining: 1 })
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { isFresh } = request
    if (isFresh) this.#fresh ??= this.#open({ pipelining: 0 })
    const agent = isFresh ? (this.#fresh ?? this.#kept) : this.#kept
    agent.dispatch(request, new Exchange(listener))
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
      keepAliveTimeout: MAX_IDLE_MS,
      // A response handler has a deadline for the whole request. Later, a server that allows no stream is given up.
      headersTimeout: 2 * this.#timeout,
      bodyTimeout: 0,
      connect: this.#connect,
    } as const
    return openAgent(options, this.#watch)
  }
}

/** A request, for undici, and the control of its response, for a listener. */
class Exchange implements Dispatcher.DispatchHandler, ResponseControl {
  readonly isHttp2 = true
  readonly #listener: ResponseListener
  #control: Dispatcher.DispatchController | undefined
  #isRefused = false

  constructor(listener: ResponseListener) {
    this.#listener = listener
  }

  get paused(): boolean {
    return this.#control?.paused === true
  }

  get rawHeaders(): readonly string[] {
    const fields = Object.entries(this.#control?.rawHeaders ?? {})
    return fields.flatMap(([name, value]) => [value].flat().flatMap((one) => [name, `${one}`]))
  }

  pause(): void {
    this.#control?.pause()
  }

  resume(): void {
    this.#control?.resume()
  }

  abort(reason: Error): void {
    this.#control?.abort(reason)
  }

  onRequestStart(control: Dispatcher.DispatchController): void {
    // undici would send a request that the server refused again at once, whatever its rate.
    this.#isRefused = this.#control !== undefined
    this.#control = control
    if (this.#isRefused) control.abort(new StaleConnection('the server refused the request'))
    else this.#listener.onRequestStart(this)
  }

  onResponseStart(_: unknown, ...head: [number, ResponseHeaders, string?]): void {
    this.#listener.onResponseStart(this, ...head)
  }

  onResponseData(_: unknown, bytes: Buffer): void {
    this.#listener.onResponseData(this, bytes)
  }

  onResponseEnd(): void {
    this.#listener.onResponseEnd()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#listener.fail(error)
  }
}
