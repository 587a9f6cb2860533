import type { Socket } from 'node:net'
import { codeOf } from '../../errors.ts'
import { AlpnChoices, type Protocol } from './alpn-choices.ts'
import type {
  ConnectionPool,
  PoolOptions,
  ResponseListener,
  TransportRequest,
} from './connection-pool.ts'
import {
  type ConnectCallback,
  type Connector,
  type ConnectorTarget,
  discard,
  originOfTarget,
  targetOfOrigin,
} from './connections/connector.ts'
import { NO_COMMON_PROTOCOL } from './connections/tls-connector.ts'
import { failRequest, poolClosed } from './fail-request.ts'
import { Http1Pool } from './http1/http1-pool.ts'

/** A request that waits until its server has chosen a protocol. */
interface WaitingRequest {
  readonly request: TransportRequest
  readonly listener: ResponseListener
}

/**
 * Connections to servers: HTTP/2 if a server chooses it during the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
 * HTTP/1.1 is also used after the HTTP/2 of a server has failed.
 */
export class AlpnPool implements ConnectionPool {
  readonly #options: PoolOptions
  readonly #http1: ConnectionPool
  /** The pool of HTTP/2, loaded when the first server has chosen it, since undici takes a while to load. */
  #http2: ConnectionPool | undefined
  readonly #choices = new AlpnChoices()
  /** Waiting requests by origin, while its first connection is being opened. */
  readonly #waiting = new Map<string, WaitingRequest[]>()
  /** First connections by origin, until the pool of their protocol takes them. */
  readonly #first = new Map<string, Socket>()
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#http1 = new Http1Pool({ ...options, connect: this.#connectorOf('http/1.1') })
  }

  /** @throws Error if the request can't be written */
  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { origin } = request
    const choice = origin.startsWith('https:') ? this.#choices.protocolOf(origin) : 'http/1.1'
    const waiting = this.#waiting.get(origin)
    if (this.#isClosed) failRequest(listener, poolClosed())
    else if (choice === 'http/1.1') this.#http1.dispatch(request, listener)
    else if (choice === 'h2') void this.#sendByHttp2([{ request, listener }])
    else if (waiting !== undefined) waiting.push({ request, listener })
    else {
      this.#waiting.set(origin, [{ request, listener }])
      this.#negotiate(origin)
    }
  }

  closeIdle(): void {
    this.#http1.closeIdle()
    this.#http2?.closeIdle()
  }

  async destroy(): Promise<void> {
    this.#isClosed = true
    for (const origin of this.#waiting.keys()) this.#fail(origin, poolClosed())
    await Promise.all([this.#http1.destroy(), this.#http2?.destroy()])
  }

  /** Opens the first connection to an origin, then sends the requests that wait for it. */
  #negotiate(origin: string): void {
    this.#options.connect(targetOfOrigin(origin), (error, socket) => {
      if (this.#isClosed) discard(socket)
      else if (error === null) void this.#begin(origin, socket)
      else this.#fail(origin, error)
    })
  }

  async #begin(origin: string, socket: Socket): Promise<void> {
    const requests = this.#takeWaiting(origin)
    const choice = protocolOf(socket)
    this.#choices.remember(origin, choice)
    this.#first.set(origin, socket)
    if (choice === 'h2') await this.#sendByHttp2(requests)
    else dispatchAll(this.#http1, requests)
    // No pool took the socket: all waiting requests are done, or the origin has its maximum of connections.
    if (this.#first.delete(origin)) discard(socket)
  }

  async #sendByHttp2(requests: readonly WaitingRequest[]): Promise<void> {
    try {
      const pool = this.#http2 ?? (await this.#openHttp2())
      if (this.#isClosed) throw poolClosed()
      dispatchAll(pool, requests)
    } catch (error) {
      // HTTP/2 could not be loaded, for example because too many files are open.
      for (const { listener } of requests) failRequest(listener, error)
    }
  }

  async #openHttp2(): Promise<ConnectionPool> {
    const { Http2Pool } = await import('./http2/http2-pool.ts')
    const { perOrigin, kept, onRead } = this.#options
    this.#http2 ??= new Http2Pool({
      connect: this.#connectorOf('h2'),
      maxStreams: perOrigin,
      kept,
      onRead,
      onBroken: (origin, error) => this.#choices.avoidHttp2(origin, error),
    })
    return this.#http2
  }

  /** Returns the connector of a pool. It returns the first connection if there is one, and opens further ones. */
  #connectorOf(protocol: Protocol): Connector {
    return (target, callback) => {
      const origin = originOfTarget(target)
      const first = this.#first.get(origin)
      this.#first.delete(origin)
      // undici doesn't expect a synchronous callback.
      if (first !== undefined && !first.destroyed) queueMicrotask(() => callback(null, first))
      else this.#connect(target, protocol, callback)
    }
  }

  /** Opens a further connection to a server that has chosen a protocol. */
  #connect(target: ConnectorTarget, protocol: Protocol, callback: ConnectCallback): void {
    // Servers behind one name may choose differently. Most that support HTTP/2 support HTTP/1.1, too.
    const further = { ...target, onlyHttp1: protocol === 'http/1.1' }
    this.#options.connect(further, (error, socket) => {
      if (error === null && protocolOf(socket) === protocol) callback(null, socket)
      else if (error !== null && codeOf(error) !== NO_COMMON_PROTOCOL) callback(error, null)
      else {
        discard(socket)
        callback(this.#choices.handleRefusal(originOfTarget(target), protocol), null)
      }
    })
  }

  #takeWaiting(origin: string): readonly WaitingRequest[] {
    const waiting = this.#waiting.get(origin) ?? []
    this.#waiting.delete(origin)
    return waiting.filter(({ listener }) => !listener.isDone)
  }

  #fail(origin: string, error: Error): void {
    for (const { listener } of this.#takeWaiting(origin)) failRequest(listener, error)
  }
}

/** Dispatches requests. A request that can't be written fails. */
function dispatchAll(pool: ConnectionPool, requests: readonly WaitingRequest[]): void {
  for (const { request, listener } of requests) {
    try {
      pool.dispatch(request, listener)
    } catch (error) {
      failRequest(listener, error)
    }
  }
}

/** Returns the protocol that a server has chosen: HTTP/1.1 if it chose none or there is no TLS. */
function protocolOf(socket: Socket): Protocol {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'
}
