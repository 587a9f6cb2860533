import type { Socket } from 'node:net'
// Hooks may replace the global function, as libraries that fake time do.
import { setImmediate } from 'node:timers'
import type { PoolOptions } from '../connection-pool.ts'
import { type ConnectorTarget, discard } from '../connections/connector.ts'
import { failRequest, poolClosed } from '../fail-request.ts'
import { cutShort } from '../network-failure.ts'
import { Connection, type SentRequest } from './connection.ts'

/** A connection that was used before, and the request that it will send next. */
interface Assignment {
  readonly connection: Connection
  readonly request: SentRequest
}

/** The connections to one origin, and the requests that wait for one. */
export class OriginPool {
  readonly #options: PoolOptions
  readonly #target: ConnectorTarget
  readonly #onUnused: () => void
  readonly #connections = new Set<Connection>()
  /** The requests for which connections are being opened. */
  readonly #opening = new Set<SentRequest>()
  /** Idle connections. The one that served a request last is at the end, and used next. */
  readonly #idle: Connection[] = []
  /** The requests that are sent in the next `setImmediate` phase of the event loop. */
  readonly #assigned: Assignment[] = []
  readonly #waiting: SentRequest[] = []
  #isProceeding = false
  #isClosed = false
  /** Number of calls of `closeIdle`. A connection that was being opened during a call serves one request only. */
  #closings = 0

  /** @param onUnused called when there are no connections left */
  constructor(target: ConnectorTarget, options: PoolOptions, onUnused: () => void) {
    this.#target = target
    this.#options = options
    this.#onUnused = onUnused
  }

  dispatch(request: SentRequest): void {
    const idle = request.isFresh ? undefined : this.#takeIdle()
    if (idle !== undefined) this.#assign(idle, request)
    else {
      this.#waiting.push(request)
      this.#proceed()
    }
  }

  closeIdle(): void {
    this.#closings++
    for (const connection of this.#connections) connection.closeOnceIdle()
  }

  destroy(): void {
    this.#isClosed = true
    const assigned = this.#assigned.splice(0).map(({ request }) => request)
    const requests = [...this.#waiting.splice(0), ...this.#opening, ...assigned]
    this.#opening.clear()
    const closed = poolClosed()
    for (const { listener } of requests) failRequest(listener, closed)
    for (const connection of this.#connections) connection.end(closed)
  }

  get #hasRoom(): boolean {
    return this.#connections.size + this.#opening.size < this.#options.perOrigin
  }

  /** Opens connections for the requests that wait, as long as there is room. */
  #proceed(): void {
    // A connector may fail synchronously, which calls this method again.
    if (this.#isProceeding) return
    this.#isProceeding = true
    while (this.#hasRoom) {
      const next = this.#nextWaiting()
      if (next === undefined) break
      this.#open(next)
    }
    this.#isProceeding = false
    // A fresh request can't use an idle connection. Closing one makes room for a new connection.
    if (this.#waiting[0]?.isFresh) this.#idle[0]?.close()
    const inUse = this.#connections.size + this.#opening.size + this.#assigned.length
    if (inUse === 0) this.#onUnused()
  }

  #open(request: SentRequest): void {
    this.#opening.add(request)
    const { connect } = this.#options
    const closings = this.#closings
    try {
      connect(this.#target, (error, socket) => {
        // The pool may have been destroyed.
        if (!this.#opening.delete(request)) discard(socket)
        else if (error !== null) this.#failToOpen(request, error)
        else if (socket.destroyed) this.#failToOpen(request, socket.errored ?? cutShort())
        else this.#begin(socket, request, closings < this.#closings)
      })
    } catch (error) {
      if (this.#opening.delete(request)) this.#failToOpen(request, error)
    }
  }

  #failToOpen({ listener }: SentRequest, error: unknown): void {
    failRequest(listener, error)
    this.#proceed()
  }

  /** @param isLast true if the connection is for one request */
  #begin(socket: Socket, request: SentRequest, isLast: boolean): void {
    const connection = new Connection(socket, {
      onRead: this.#options.onRead,
      onServed: (served) => this.#rest(served),
      onClose: (closed) => this.#drop(closed),
    })
    this.#connections.add(connection)
    const next = request.listener.isDone ? this.#nextWaiting() : request
    if (next === undefined) this.#idle.push(connection)
    else connection.send(next)
    this.#options.kept.used(connection)
    if (isLast) connection.closeOnceIdle()
  }

  #rest(connection: Connection): void {
    this.#options.kept.used(connection)
    this.#release(connection)
  }

  /** Assigns the next waiting request to a connection. */
  #release(connection: Connection): void {
    const next = this.#nextWaiting()
    if (next === undefined) this.#idle.push(connection)
    else if (!next.isFresh) this.#assign(connection, next)
    else {
      // Closing it makes room for a new connection.
      this.#waiting.unshift(next)
      connection.close()
    }
  }

  /** Returns an idle connection that is open, and that its server should still keep alive. */
  #takeIdle(): Connection | undefined {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      if (next.isOpen && next.idleUntil > performance.now()) return next
      next.close()
    }
    return undefined
  }

  /**
   * Schedules a request for the next `setImmediate` phase of the event loop. Before that phase, the connection reads
   * data that was not requested, which must not be mistaken for the response, or notices that it was closed.
   */
  #assign(connection: Connection, request: SentRequest): void {
    if (this.#assigned.push({ connection, request }) > 1) return
    setImmediate(() => this.#sendAssigned())
  }

  #sendAssigned(): void {
    // `splice` moves them to a new array. Minor garbage collections would keep everything that an old array references.
    for (const { connection, request } of this.#assigned.splice(0)) {
      if (!connection.isOpen) this.#replace(request)
      else if (request.listener.isDone) this.#release(connection)
      else connection.send(request)
    }
    this.#proceed()
  }

  /** Finds another connection for a request whose connection was closed before the request was sent. */
  #replace(request: SentRequest): void {
    const idle = this.#takeIdle()
    if (this.#isClosed) failRequest(request.listener, poolClosed())
    else if (idle !== undefined) this.#assign(idle, request)
    else this.#waiting.unshift(request)
  }

  #nextWaiting(): SentRequest | undefined {
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
}
