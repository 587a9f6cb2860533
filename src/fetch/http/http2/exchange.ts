import type { Dispatcher } from 'undici'
import { codeOf, messageOf } from '../../../errors.ts'
import type { ResponseHeaders } from '../../fetcher.ts'
import type { ResponseControl, ResponseListener, TransportRequest } from '../connection-pool.ts'
import { StaleConnection } from '../connections/stale-connection.ts'

/** Errors of a connection that ended, or of a stream that never began or that one of the sides gave up. */
const LOST =
  /^(?:ECONNRESET|EPIPE|connection-reset|UND_ERR_SOCKET|UND_ERR_INFO|ERR_HTTP2_(?:INVALID_SESSION|GOAWAY_SESSION|STREAM_CANCEL))$/
/** All others of Node's HTTP/2, and traffic that exceeds its limits: what the server sends as HTTP/2 can't be read. */
const BROKEN = /^(?:ERR_HTTP2_|invalid-response$)/

/** The server did nothing, and wants the request by HTTP/1.1 (RFC 9113, 7). */
const HTTP1_REQUIRED = /\bNGHTTP2_HTTP_1_1_REQUIRED$/

/** A request by HTTP/2, for undici, and the control of its response, for a listener. */
export class Exchange implements Dispatcher.DispatchHandler, ResponseControl {
  readonly isHttp2 = true
  readonly #request: TransportRequest
  readonly #listener: ResponseListener
  readonly #onBroken: (error: Error) => void
  #control: Dispatcher.DispatchController | undefined
  #isRefused = false
  #hasResponse = false

  /** @param onBroken called when the HTTP/2 of the server can't be read */
  constructor(
    request: TransportRequest,
    listener: ResponseListener,
    onBroken: (error: Error) => void,
  ) {
    this.#request = request
    this.#listener = listener
    this.#onBroken = onBroken
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
    if (this.#isRefused) control.abort(new StaleConnection('the server refused the request', false))
    else this.#listener.onRequestStart(this)
  }

  onResponseStart(_: unknown, ...head: [number, ResponseHeaders, string?]): void {
    this.#hasResponse ||= head[0] >= 200
    this.#listener.onResponseStart(this, ...head)
  }

  onResponseData(_: unknown, bytes: Buffer): void {
    this.#listener.onResponseData(this, bytes)
  }

  onResponseEnd(): void {
    this.#listener.onResponseEnd()
  }

  onResponseError(_: unknown, error: Error): void {
    // It may have been aborted.
    if (this.#listener.isDone) return
    const isBroken = isOfBrokenHttp2(error)
    if (isBroken) this.#onBroken(error)
    const isLost = LOST.test(codeOf(error)) && !this.#request.isFresh
    // All streams of a connection fail with it, whoever is at fault, and another connection may bring the response.
    const mayResend = !this.#hasResponse && this.#isRepeatable(error) && (isBroken || isLost)
    this.#listener.fail(mayResend ? new StaleConnection(messageOf(error)) : error)
  }

  /** Returns whether the request may be sent again: nobody knows what became of a form, unless it was refused. */
  #isRepeatable({ message }: Error): boolean {
    return this.#request.body === null || HTTP1_REQUIRED.test(message)
  }
}

function isOfBrokenHttp2(error: Error): boolean {
  const code = codeOf(error)
  return BROKEN.test(code) && !LOST.test(code)
}
