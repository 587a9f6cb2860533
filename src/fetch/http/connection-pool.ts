import type { ResponseHeaders } from '../fetcher.ts'

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

/** Controls how a response is read, up to its end: of HTTP/1, the next response on the connection has the same. */
export interface ResponseControl {
  /** True while nothing is read. */
  readonly paused: boolean
  /** Names and values of the header in turns, as they were received. */
  readonly rawHeaders: readonly string[]
  readonly isHttp2: boolean
  pause(): void
  resume(): void
  /** Ends the request, and closes its connection if that has to be. */
  abort(reason: Error): void
}

/** Takes a response as it is read. */
export interface ResponseListener {
  /** True if the response is of no use any more. */
  readonly isDone: boolean
  /** Called before the request is sent. */
  onRequestStart(control: ResponseControl): void
  /** Called for each interim response, too, which has a status below 200 and no body. */
  onResponseStart(
    control: ResponseControl,
    status: number,
    headers: ResponseHeaders,
    reason?: string,
  ): void
  /** @param bytes of the body, which the next read overwrites */
  onResponseData(control: ResponseControl, bytes: Buffer): void
  onResponseEnd(): void
  /** Called in place of the others if the request failed. */
  fail(error: unknown): void
}

/** Connections to all origins. */
export interface ConnectionPool {
  /** Sends a request as soon as a connection to its origin is free. */
  dispatch(request: TransportRequest, listener: ResponseListener): void
  /** Closes idle connections now, and the others once they are idle. */
  closeIdle(): void
  destroy(): Promise<void>
}
