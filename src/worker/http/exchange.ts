import { createHash, type Hash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { BodyPieces } from './body-pieces.ts'
import { FetchFailure, failureOf } from './fetch-failure.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An answer as it came, its body still coded. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** Empty when the body was not kept. */
  readonly chunks: readonly Buffer[]
  /** Bytes received of the body. */
  readonly received: number
  /** The body was longer than the limit, and the rest was not read. */
  readonly truncated: boolean
  /** SHA-256 of a body that was not kept, in hexadecimal, where it was wanted. */
  readonly digest?: string
}

/** What is to be done with a body. */
export interface BodyWish {
  /** Bytes that are read. */
  readonly limit: number
  /** Whether they are kept, not only counted. */
  readonly keep: boolean
  /** Whether one that is not kept is digested as it goes by. */
  readonly digest: boolean
}

interface Limits {
  /** Milliseconds for all of it. */
  readonly timeout: number
  readonly wish: (headers: Headers) => BodyWish
}

/** One request and its answer: undici's handler without a stream or a promise per chunk. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits
  readonly #resolve: (answer: RawAnswer) => void
  readonly #reject: (failure: FetchFailure) => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: Headers = {}
  readonly #pieces = new BodyPieces()
  #received = 0
  #wish: BodyWish = { limit: 0, keep: false, digest: false }
  #hash: Hash | undefined
  #done = false

  constructor(
    limits: Limits,
    resolve: (answer: RawAnswer) => void,
    reject: (failure: FetchFailure) => void,
  ) {
    this.#limits = limits
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#timeOut(), limits.timeout)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#done) controller.abort(new Error('too late'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (this.#done) return
    if (status === 101) this.#refuse(controller)
    if (status < 200) return // interim answers (RFC 9110, 15.2): the final one follows
    this.#status = status
    this.#headers = headers
    this.#wish = this.#limits.wish(headers)
    if (this.#wish.digest && !this.#wish.keep) this.#hash = createHash('sha256')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return
    const room = this.#wish.limit - this.#received
    this.#received += Math.min(chunk.length, room)
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    if (this.#wish.keep) this.#pieces.add(piece)
    this.#hash?.update(piece)
    if (chunk.length <= room) return
    this.#finish(true)
    controller.abort(new Error('body longer than wanted'))
  }

  onResponseEnd(): void {
    if (!this.#done) this.#finish(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!this.#done) this.fail(error)
  }

  /** Ends the exchange with an error; but a redirect has said all in its header. */
  fail(error: unknown): void {
    if (isRedirect(this.#status)) {
      this.#finish(false)
      return
    }
    this.#done = true
    clearTimeout(this.#timer)
    this.#reject(failureOf(error).withStatus(this.#status))
  }

  /** Nobody asked for another protocol, and what follows is in it. */
  #refuse(controller: Dispatcher.DispatchController): void {
    const error = new FetchFailure('invalid-response', 'unasked, the protocol changed', false)
    this.fail(error)
    controller.abort(error)
  }

  #timeOut(): void {
    const error = new FetchFailure('timeout', `no answer within ${this.#limits.timeout} ms`, true)
    this.fail(error)
    this.#controller?.abort(error)
  }

  #finish(truncated: boolean): void {
    this.#done = true
    clearTimeout(this.#timer)
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      chunks: this.#pieces.take(),
      received: this.#received,
      truncated,
      ...(this.#hash !== undefined && { digest: this.#hash.digest('hex') }),
    })
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether an answer sends us elsewhere (RFC 9110, 15.4): then its body is of no interest. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}
