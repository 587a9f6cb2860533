import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import symbols from 'undici/lib/core/symbols.js'
import Client from 'undici/lib/dispatcher/client.js'
import { FetchFailure } from '../../fetch-failure.ts'
import type {
  ConnectionPool,
  PoolOptions,
  ResponseListener,
  TransportRequest,
} from '../connection-pool.ts'
import { type ConnectCallback, type ConnectorTarget, discard } from '../connections/connector.ts'
import { poolClosed } from '../fail-request.ts'
import { Http2Connection } from './http2-connection.ts'
import { type BrokenListener, Http2Request } from './http2-request.ts'

/** One error for all connections, since creating an error with its stack takes as long as closing a connection. */
const TOO_MANY_IDLE = new Error('too many connections are idle')

/** Milliseconds for which an idle connection is kept. It is short, since there may be many servers. */
const MAX_IDLE_MS = 5_000

/** Connection headers of HTTP/1.1 that a user may set. Requests of HTTP/2 must not have them (RFC 9113, 8.2.2). */
const HTTP1_HEADERS = ['http2-settings', 'proxy-connection', 'te']

interface Http2PoolOptions extends Pick<PoolOptions, 'connect' | 'kept' | 'onRead'> {
  /** Maximum streams of a connection at a time. */
  readonly maxStreams: number
  readonly onBroken: BrokenListener
}

/** Connections of HTTP/2 to servers that have chosen it: one for each origin, and one for each fresh request. */
export class Http2Pool implements ConnectionPool {
  readonly #options: Http2PoolOptions
  /** The clients that all requests to an origin share, by origin. */
  readonly #shared = new Map<string, Client>()
  readonly #closing = new Set<Client>()
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

  #open(origin: string): Client {
    const client = new Client(origin, {
      allowH2: true,
      h2Options: { maxConcurrentStreams: this.#options.maxStreams, pingInterval: 0 },
      keepAliveTimeout: MAX_IDLE_MS,
      // undici needs no time-outs: a response handler has a deadline for the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      // With less pipelining, a client whose connection accepts no further requests would wait for the end of its
      // current ones before it opens another connection.
      pipelining: Number.POSITIVE_INFINITY,
      connect: (target: ConnectorTarget, callback: ConnectCallback) =>
        this.#connect(target, callback),
    })
    return client
      .on('connect', () => this.#watch(origin, client))
      .on('connectionError', () => {
        // Otherwise the client would try to connect again without a pause.
        client.pipelining = 1
        this.#closed(origin, client)
      })
  }

  /** Watches the connection that a client has just opened. */
  #watch(origin: string, client: Client): void {
    const { kept, onRead } = this.#options
    const session: ClientHttp2Session = Reflect.get(client, symbols.kHTTP2Session)
    const socket: Socket = Reflect.get(client, symbols.kSocket)
    const keptConnection = {
      get isIdle() {
        return client.stats.size === 0
      },
      close: () => void socket.destroy(TOO_MANY_IDLE),
    }
    const connection = new Http2Connection(session, socket, {
      onOpen: (stream) => Http2Request.opened({ connection, stream }),
      // Streams may end after their connection, which must not be kept then.
      onEnd: () => {
        if (!socket.destroyed) kept.used(keptConnection)
      },
      onRead,
      onUnserved: () => {
        this.#release(origin, client)
        void client.destroy(unserved())
      },
    })
    kept.used(keptConnection)
    socket.once('close', () => {
      kept.closed(keptConnection)
      this.#closed(origin, client)
    })
  }

  /** Handles the end of a client's connection, or a connection that could not be opened. */
  #closed(origin: string, client: Client): void {
    if (!client.stats.connected) this.#release(origin, client)
  }

  /** Closes a client once it is idle. It gets no further requests. */
  #release(origin: string, client: Client): void {
    if (this.#shared.get(origin) !== client) return
    this.#shared.delete(origin)
    this.#closeOnceIdle(client)
  }

  #closeOnceIdle(client: Client): void {
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
  const message = 'the server allows no stream of HTTP/2'
  return new FetchFailure('invalid-response', message, 'transient')
}

function withoutHttp1Headers(request: TransportRequest): TransportRequest {
  const { headers } = request
  if (!HTTP1_HEADERS.some((name) => name in headers)) return request
  const kept = Object.entries(headers).filter(([name]) => !HTTP1_HEADERS.includes(name))
  return { ...request, headers: Object.fromEntries(kept) }
}
