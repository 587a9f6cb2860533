import type { Socket } from 'node:net'
import { MAX_TIMER_MS } from '../../../runtime/max-timer.ts'
import type { ConnectionPool, ResponseListener, TransportRequest } from '../connection-pool.ts'
import type { Connector } from '../connections/connector.ts'
import { poolClosed } from '../http1/fail-request.ts'
import { Http2Request } from './http2-request.ts'
import { type ConnectionWatch, openAgent, type UndiciAgent } from './undici.ts'

/** Milliseconds for which an idle connection is kept: there may be many servers. */
const MAX_IDLE_MS = 5_000

/** Headers of a connection of HTTP/1.1 that a user may set. No request of HTTP/2 has them (RFC 9113, 8.2.2). */
const HTTP1_HEADERS = ['http2-settings', 'proxy-connection', 'te']

export interface Http2PoolOptions {
  readonly connect: Connector
  /** Connections to an origin at a time that are kept alive, at most, and streams of each. */
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
  /** All that are open: agents that are closing don't know theirs any more. */
  readonly #sockets = new Set<Socket>()
  #isDestroyed = false

  constructor(options: Http2PoolOptions) {
    this.#options = options
    this.#kept = this.#open()
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const agent = request.isFresh ? this.#open() : this.#kept
    agent.dispatch(withoutHttp1Headers(request), new Http2Request(request, listener))
    if (request.isFresh) this.#closeOnceIdle(agent)
  }

  /** Closes idle connections now, and the others once they are idle. */
  closeIdle(): void {
    if (this.#isDestroyed) return
    this.#closeOnceIdle(this.#kept)
    this.#kept = this.#open()
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true
    const closed = poolClosed()
    const agents = [this.#kept, ...this.#closing].map((agent) => agent.destroy(closed))
    for (const socket of this.#sockets) socket.destroy(closed)
    await Promise.all(agents)
  }

  #open(): UndiciAgent {
    const { perOrigin, watch, timeout } = this.#options
    const options = {
      connections: perOrigin,
      allowH2: true,
      h2Options: { maxConcurrentStreams: perOrigin, pingInterval: 0 },
      keepAliveTimeout: MAX_IDLE_MS,
      // A response handler has a deadline for the whole request. Later, a server that allows no stream is given up.
      headersTimeout: Math.min(2 * timeout, MAX_TIMER_MS),
      bodyTimeout: 0,
      connect: (...args: Parameters<Connector>) => this.#connect(...args),
    } as const
    return openAgent(options, watch)
  }

  #closeOnceIdle(agent: UndiciAgent): void {
    this.#closing.add(agent)
    void agent.close().finally(() => this.#closing.delete(agent))
  }

  /** Connects for an agent, also for one that is closing when all are destroyed. */
  #connect(...[target, callback]: Parameters<Connector>): void {
    if (this.#isDestroyed) {
      callback(poolClosed(), null)
      return
    }
    this.#options.connect(target, (error, socket) => {
      if (error !== null) callback(error, null)
      else if (this.#isDestroyed) {
        socket.on('error', () => {}).destroy()
        callback(poolClosed(), null)
      } else {
        this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)))
        callback(null, socket)
      }
    })
  }
}

function withoutHttp1Headers(request: TransportRequest): TransportRequest {
  const { headers } = request
  if (!HTTP1_HEADERS.some((name) => name in headers)) return request
  const kept = Object.entries(headers).filter(([name]) => !HTTP1_HEADERS.includes(name))
  return { ...request, headers: Object.fromEntries(kept) }
}
