import type { ResponseHeaders } from '../fetcher.ts'
import type { Connector } from './connections/connector.ts'
import type { KeptConnections } from './connections/kept-connections.ts'

/** A request as it is sent over a connection. */
export interface TransportRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** True if the request needs a new connection that serves no other request. */
  readonly isFresh: boolean
}

/**
 * Controls how a response is read. It must not be used after the end of the response: with HTTP/1, the next response on
 * the connection has the same control.
 */
export interface ResponseControl {
  /** True while reading is paused. */
  readonly paused: boolean
  /** Names and values of the header fields alternately, as they were received. */
  readonly rawHeaders: readonly string[]
  readonly isHttp2: boolean
  /** The IP address that the connection leads to: that of the server, or of a proxy. */
  readonly remoteAddress: string | undefined
  pause(): void
  resume(): void
  /** Ends the request, and closes its connection if necessary. */
  abort(reason: Error): void
}

/** Receives a response while it is read. */
export interface ResponseListener {
  /** True if the response is no longer needed. */
  readonly isDone: boolean
  /** Called before the request is sent. */
  onRequestStart(control: ResponseControl): void
  /** Also called for each interim response, which has a status below 200 and no body. */
  onResponseStart(
    control: ResponseControl,
    status: number,
    headers: ResponseHeaders,
    reason?: string,
  ): void
  /** @param bytes a part of the body; the next read overwrites it */
  onResponseData(control: ResponseControl, bytes: Buffer): void
  onResponseEnd(): void
  /** Called instead of the remaining methods if the request fails. */
  fail(error: unknown): void
}

export interface PoolOptions {
  readonly connect: Connector
  /** Maximum connections to an origin at a time. */
  readonly perOrigin: number
  /** Bounds the connections that are kept alive. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
}

/** The connections to all origins. */
export interface ConnectionPool {
  /** Sends a request as soon as a connection to its origin is available. */
  dispatch(request: TransportRequest, listener: ResponseListener): void
  /** Closes idle connections now, and the others once they are idle. */
  closeIdle(): void
  destroy(): Promise<void>
}
