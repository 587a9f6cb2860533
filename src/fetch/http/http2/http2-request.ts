import type { ClientHttp2Stream } from 'node:http2'
import type { Dispatcher } from 'undici'
import { messageOf } from '../../../errors.ts'
import type { ResponseHeaders } from '../../fetcher.ts'
import type { ResponseControl, ResponseListener, TransportRequest } from '../connection-pool.ts'
import { StaleConnectionError } from '../connections/stale-connection.ts'
import { connectionReset } from '../network-failure.ts'
import {
  ENHANCE_YOUR_CALM,
  HTTP_1_1_REQUIRED,
  isBroken,
  isLost,
  NO_ERROR,
  REFUSED_STREAM,
} from './failures.ts'
import type { Http2Connection } from './http2-connection.ts'

/** Called with the origin of a server whose HTTP/2 doesn't work. */
export type BrokenListener = (origin: string, error: Error) => void

/** The stream on which a request was sent. */
interface OpenedStream {
  readonly connection: Http2Connection
  readonly stream: ClientHttp2Stream
}

/** The request for which undici opens the next stream. It opens the stream as soon as `onRequestStart` returns. */
let starting: Http2Request | undefined

/** A request with HTTP/2: the handler that undici calls, and the control of the response for a listener. */
export class Http2Request implements Dispatcher.DispatchHandler, ResponseControl {
  readonly isHttp2 = true
  readonly #request: TransportRequest
  readonly #listener: ResponseListener
  readonly #onBroken: BrokenListener
  #control: Dispatcher.DispatchController | undefined
  #sent: OpenedStream | undefined
  /** The error of the stream. */
  #error: Error | undefined
  #hasResponse = false

  constructor(request: TransportRequest, listener: ResponseListener, onBroken: BrokenListener) {
    this.#request = request
    this.#listener = listener
    this.#onBroken = onBroken
  }

  /** Notes that undici has opened a stream for the request that it is starting. */
  static opened(sent: OpenedStream): void {
    const request = starting
    starting = undefined
    if (request !== undefined) request.#follow(sent)
  }

  get paused(): boolean {
    return this.#control?.paused === true
  }

  get rawHeaders(): readonly string[] {
    const fields = Object.entries(this.#control?.rawHeaders ?? {})
    return fields.flatMap(([name, value]) => [value].flat().flatMap((one) => [name, `${one}`]))
  }

  get remoteAddress(): string | undefined {
    return this.#sent?.stream.session?.socket.remoteAddress
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
    const isRefused = this.#control !== undefined
    this.#control = control
    if (isRefused) {
      this.#listener.fail(this.#refusal())
      // undici would send the request again at once, ignoring `--rate`.
      control.abort(new Error('the server refused the request'))
    } else {
      this.#listener.onRequestStart(this)
      starting = this
    }
  }

  onResponseStart(_: unknown, ...head: [number, ResponseHeaders, string?]): void {
    this.#hasResponse ||= head[0] >= 200
    this.#listener.onResponseStart(this, ...head)
  }

  onResponseData(_: unknown, bytes: Buffer): void {
    this.#listener.onResponseData(this, bytes)
  }

  onResponseEnd(): void {
    const { aborted = false, rstCode = NO_ERROR } = this.#sent?.stream ?? {}
    // undici reports the end of the received data as the end of the body, even if the stream was reset.
    if (aborted || rstCode !== NO_ERROR) {
      const message = `the server reset the stream before the end of the body (${rstCode})`
      this.onResponseError(undefined, connectionReset(message))
    } else this.#listener.onResponseEnd()
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#sent?.connection.hasSettings === false) this.#reportBroken(error)
    // The listener is done if it aborted the request.
    if (!this.#listener.isDone) this.#listener.fail(this.#failureOf(this.#error ?? error))
  }

  #follow(sent: OpenedStream): void {
    const { connection, stream } = sent
    this.#sent = sent
    // undici adds its listener later, and may report another error.
    stream.on('error', (error) => {
      if (stream.rstCode === REFUSED_STREAM || connection.goaway === ENHANCE_YOUR_CALM) return
      this.#error ??= error
      if (isBroken(error)) this.#reportBroken(error)
    })
  }

  /** Returns the error for the listener: `StaleConnectionError` if the request may be sent again at once. */
  #failureOf(error: Error): Error {
    const { connection, stream } = this.#sent ?? {}
    const { isFresh, body } = this.#request
    if (connection?.goaway === ENHANCE_YOUR_CALM) return this.#refusal()
    const broken = isBroken(error)
    if (broken) this.#reportBroken(error)
    if (!broken && !isLost(error)) return error
    if (stream !== undefined && connection?.refuses(stream)) return this.#refusal()
    // All streams of a connection fail with it, whichever caused the error. After a GOAWAY, the server may have
    // processed this stream.
    const mayHelp = broken || (!isFresh && connection?.goaway === undefined)
    // The server may have processed a form, unless it refused the request.
    const mayRepeat = body === null || stream?.rstCode === HTTP_1_1_REQUIRED
    const mayResend = mayHelp && mayRepeat && !this.#hasResponse
    return mayResend ? new StaleConnectionError(messageOf(error)) : error
  }

  /** Returns the error of a request that the server did not process, or refuses for now. */
  #refusal(): Error {
    const goaway = this.#sent?.connection.goaway
    if (goaway === ENHANCE_YOUR_CALM) {
      return connectionReset('the server asks for fewer requests (ENHANCE_YOUR_CALM)')
    }
    if (goaway !== undefined && goaway !== NO_ERROR) {
      this.#reportBroken(connectionReset(`the server ended the connection with error ${goaway}`))
    }
    const next = { isShared: true, isUnprocessed: goaway !== undefined }
    return new StaleConnectionError('the server refused the request', next)
  }

  #reportBroken(error: Error): void {
    this.#onBroken(this.#request.origin, error)
  }
}
