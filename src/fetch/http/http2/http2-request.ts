import type { Dispatcher } from 'undici'
import { messageOf } from '../../../errors.ts'
import type { ResponseHeaders } from '../../fetcher.ts'
import type { ResponseControl, ResponseListener, TransportRequest } from '../connection-pool.ts'
import { StaleConnection } from '../connections/stale-connection.ts'
import { isBroken, isLost } from './failures.ts'

/** The server did nothing, and wants the request by HTTP/1.1 (RFC 9113, 7). */
const HTTP1_REQUIRED = /\bNGHTTP2_HTTP_1_1_REQUIRED$/

/** A request by HTTP/2, for undici, and the control of its response, for a listener. */
export class Http2Request implements Dispatcher.DispatchHandler, ResponseControl {
  readonly isHttp2 = true
  readonly #request: TransportRequest
  readonly #listener: ResponseListener
  #control: Dispatcher.DispatchController | undefined
  #hasResponse = false

  constructor(request: TransportRequest, listener: ResponseListener) {
    this.#request = request
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
    const isRefused = this.#control !== undefined
    this.#control = control
    if (isRefused) control.abort(new StaleConnection('the server refused the request', false))
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
    // All streams of a connection fail with it, whoever is at fault.
    const mayHelp = isBroken(error) || (isLost(error) && !this.#request.isFresh)
    const mayResend = !this.#hasResponse && this.#isRepeatable(error) && mayHelp
    this.#listener.fail(mayResend ? new StaleConnection(messageOf(error)) : error)
  }

  /** Returns whether the request may be sent again: nobody knows what became of a form, unless it was refused. */
  #isRepeatable({ message }: Error): boolean {
    return this.#request.body === null || HTTP1_REQUIRED.test(message)
  }
}
