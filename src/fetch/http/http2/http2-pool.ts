import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import type { ConnectionPool, ResponseListener, TransportRequest } from '../connection-pool.ts'
import {
  type ConnectCallback,
  type Connector,
  type ConnectorTarget,
  discard,
} from '../connections/connector.ts'
import { poolClosed } from '../fail-request.ts'
import { type BrokenListener, Http2Request } from './http2-request.ts'
import { type ConnectionWatch, openClient, type UndiciClient } from './undici.ts'

/** Milliseconds for which an idle connection is kept. It is short, since there may be many servers. */
const MAX_IDLE_MS = 5_000

/** Connection headers of HTTP/1.1 that a user may set. Requests of HTTP/2 must not have them (RFC 9113, 8.2.2). */
const HTTP1_HEADERS = ['http2-settings', 'proxy-connection', 'te']

interface Http2PoolOptions extends Pick<ConnectionWatch, 'kept' | 'onRead'> {
  readonly connect: Connector
  /** Maximum streams of a connection at a time. */
  readonly maxStreams: number
  readonly onBroken: BrokenListener
}

/** Connections of HTTP/2 to servers that have chosen it: one for each origin, and one for each fresh request. */
export class Http2Pool implements ConnectionPool {
  readonly #options: Http2PoolOptions
  /** The clients that all requests to an origin share, by origin. */
  readonly #shared = new Map<string, UndiciClient>()
  readonly #closing = new Set<UndiciClient>()
  /** All open sockets. Clients that are closing no longer know their sockets. */
  readonly #sockets = new Set<Socket>()
  #isDestroyed = false

  constructor(options: Http2PoolOptions) {
    this.#options = options
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { origin, isFresh } = request
    const client = (!isFresh && this.#shared.get(origin)) || this.#open(origin)
    if (!isFresh) this.#shared.set(origin, client)
    const handler = new Http2Request(request, listener, this.#options.onBroken)
    client.dispatch(withoutHttp1Headers(request), handler)
    if (isFresh) this.#closeOnceIdle(client)
  }

  /** Closes idle connections now, and the others once they are idle. */
  closeIdle(): void {
    for (const [origin, client] of this.#shared) this.#release(origin, client)
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true
    const closed = poolClosed()
    const clients = [...this.#shared.values(), ...this.#closing]
    this.#shared.clear()
    const destroyed = clients.map((client) => client.destroy(closed))
    for (const socket of this.#sockets) socket.destroy(closed)
    await Promise.all(destroyed)
  }

  #open(origin: string): UndiciClient {
    const { maxStreams, kept, onRead } = this.#options
    const options = {
      allowH2: true,
      h2Options: { maxConcurrentStreams: maxStreams, pingInterval: 0 },
      keepAliveTimeout: MAX_IDLE_MS,
      // undici needs no time-outs: a response handler has a deadline for the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target: ConnectorTarget, callback: ConnectCallback) =>
        this.#connect(target, callback),
    }
    const onClose = () => {
      if (!client.stats.connected) this.#release(origin, client)
    }
    const onUnserved = () => {
      this.#release(origin, client)
      void client.destroy(unserved())
    }
    const client = openClient(origin, options, { kept, onRead, onUnserved, onClose })
    return client
  }

  /** Closes a client once it is idle. It gets no further requests. */
  #release(origin: string, client: UndiciClient): void {
    if (this.#shared.get(origin) !== client) return
    this.#shared.delete(origin)
    this.#closeOnceIdle(client)
  }

  #closeOnceIdle(client: UndiciClient): void {
    this.#closing.add(client)
    void client.close().finally(() => this.#closing.delete(client))
  }

  /** Opens a socket for a client. Fails after `destroy`, when clients that are closing may still connect. */
  #connect(target: ConnectorTarget, callback: ConnectCallback): void {
    if (this.#isDestroyed) {
      callback(poolClosed(), null)
      return
    }
    this.#options.connect(target, (error, socket) => {
      if (error !== null) callback(error, null)
      else if (this.#isDestroyed) {
        discard(socket)
        callback(poolClosed(), null)
      } else {
        this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)))
        callback(null, socket)
      }
    })
  }
}

function unserved(): FetchFailure {
  return new FetchFailure('invalid-response', 'the server allows no stream of HTTP/2', true)
}

function withoutHttp1Headers(request: TransportRequest): TransportRequest {
  const { headers } = request
  if (!HTTP1_HEADERS.some((name) => name in headers)) return request
  const kept = Object.entries(headers).filter(([name]) => !HTTP1_HEADERS.includes(name))
  return { ...request, headers: Object.fromEntries(kept) }
}
