// Hooks may replace the global one, as libraries that fake time do.
import { setImmediate } from 'node:timers'
import { FetchFailure } from '../../fetch-failure.ts'
import type { Connector, ConnectorTarget } from '../connections/connector.ts'
import type { KeptConnections } from '../connections/kept-connections.ts'
import type { ResponseListener, TransportRequest } from '../exchange.ts'
import { Connection } from './connection.ts'
import { requestText } from './request-text.ts'

export interface PoolOptions {
  readonly connect: Connector
  /** Connections to an origin at a time, at most. */
  readonly perOrigin: number
  /** Bounds the connections that are kept alive. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
}

/** A request on its way. */
interface Exchange {
  readonly text: string
  readonly method: TransportRequest['method']
  readonly isFresh: boolean
  readonly listener: ResponseListener
}

/** The connections to one origin, and the requests that wait for one. */
export class OriginPool {
  readonly #options: PoolOptions
  readonly #target: ConnectorTarget
  readonly #onUnused: () => void
  readonly #connections = new Set<Connection>()
  /** Connections that are being opened. */
  #opening = 0
  /** The last one to serve a request is used next. */
  readonly #idle: Connection[] = []
  /** Those that have served a request in this turn of the event loop. */
  #served: Connection[] = []
  readonly #waiting: Exchange[] = []
  #isClosed = false

  /** @param onUnused called when there are no connections any more */
  constructor(target: ConnectorTarget, options: PoolOptions, onUnused: () => void) {
    this.#target = target
    this.#options = options
    this.#onUnused = onUnused
  }

  /** @throws Error if the request can't be written */
  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { method, isFresh } = request
    const exchange = { text: requestText(request), method, isFresh, listener }
    const idle = isFresh ? undefined : this.#idle.pop()
    if (idle !== undefined) idle.send(exchange)
    else if (this.#hasRoom) this.#open(exchange)
    else this.#waiting.push(exchange)
  }

  closeIdle(): void {
    for (const connection of this.#connections) connection.closeOnceIdle()
  }

  destroy(): void {
    this.#isClosed = true
    const closed = new FetchFailure('connection-reset', 'the fetcher was closed', true)
    for (const { listener } of this.#waiting.splice(0)) listener.fail(closed)
    for (const connection of this.#connections) connection.end(closed)
  }

  get #hasRoom(): boolean {
    return this.#connections.size + this.#opening < this.#options.perOrigin
  }

  #open(exchange: Exchange): void {
    this.#opening++
    this.#options.connect(this.#target, (error, socket) => {
      this.#opening--
      if (error !== null) {
        exchange.listener.fail(error)
        this.#proceed()
        return
      }
      const connection = new Connection(socket, {
        onRead: this.#options.onRead,
        onServed: (served) => this.#rest(served),
        onClose: (closed) => this.#drop(closed),
      })
      this.#connections.add(connection)
      this.#options.kept.used(connection)
      if (this.#isClosed) connection.close()
      else if (exchange.listener.isDone) this.#use(connection)
      else connection.send(exchange)
    })
  }

  /**
   * Uses a connection again in the next turn of the event loop: before that, it reads what the server may have sent
   * unasked, which must not be taken for the next response.
   */
  #rest(connection: Connection): void {
    this.#options.kept.used(connection)
    if (this.#served.push(connection) > 1) return
    setImmediate(() => {
      const served = this.#served
      this.#served = []
      for (const each of served) if (each.isOpen) this.#use(each)
    })
  }

  /** Sends the next request that waits on a free connection. */
  #use(connection: Connection): void {
    const next = this.#nextWaiting()
    if (next === undefined) this.#idle.push(connection)
    else if (!next.isFresh) connection.send(next)
    else {
      // Its place is taken by a new one.
      connection.close()
      this.#waiting.unshift(next)
    }
  }

  #nextWaiting(): Exchange | undefined {
    for (;;) {
      const next = this.#waiting.shift()
      if (next?.listener.isDone !== true) return next
    }
  }

  #drop(connection: Connection): void {
    this.#options.kept.closed(connection)
    this.#connections.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place >= 0) this.#idle.splice(place, 1)
    this.#proceed()
  }

  /** Opens a connection for the next request that waits, if there is one. */
  #proceed(): void {
    const next = this.#hasRoom ? this.#nextWaiting() : undefined
    if (next !== undefined) this.#open(next)
    else if (this.#connections.size + this.#opening === 0) this.#onUnused()
  }
}
