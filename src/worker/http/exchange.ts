import { createHash, type Hash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { BodySlot } from '../../wire/body-slots.ts'
import { isRedirect } from '../../wire/redirect-status.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { Body, SMALL } from './body.ts'
import { Deadline } from './deadline.ts'
import { FetchFailure, failureOf } from './fetch-failure.ts'
import type { Headers, RawAnswer, RawHead } from './raw-answer.ts'

/** What is to be done with a body. */
export interface BodyWish {
  /** Bytes that are read. */
  readonly limit: number
  /** Whether they are kept, not only counted. */
  readonly keep: boolean
  /** Whether one that is not kept is digested as it goes by. */
  readonly digest: boolean
  /** Gives room to a large body, sooner or later; without it none is waited for. */
  readonly takeSlot?: (() => Promise<BodySlot>) | undefined
  /** Whether the first bytes of a large body are all that is needed of it. */
  readonly isEnough?: ((start: Buffer) => Promise<boolean>) | undefined
}

/** Interim answers before the final one: as many as CPython's and Ruby's clients take. */
const MAX_INTERIM = 100

interface Limits {
  /** Milliseconds for all of it. */
  readonly timeout: number
  readonly wish: (headers: Headers) => BodyWish
  readonly keepsHead: boolean
  /** Whether another attempt follows a failure that may pass: then nothing is kept of this one. */
  readonly mayRetry: boolean
}

/** One request and its answer: undici's handler without a stream or a promise per chunk. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits
  readonly #resolve: (answer: RawAnswer) => void
  readonly #reject: (failure: FetchFailure) => void
  readonly #deadline: Deadline
  #controller: Dispatcher.DispatchController | undefined
  /** Interim answers so far. */
  #interim = 0
  #status = 0
  #headers: Headers = {}
  #head: RawHead | undefined
  readonly #body = new Body()
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
    this.#deadline = new Deadline(limits.timeout, () => this.#timeOut())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#done) controller.abort(new Error('too late'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    reason = '',
  ): void {
    if (this.#done) return
    if (status < 200) {
      this.#passOver(controller, status)
      return
    }
    this.#status = status
    this.#headers = headers
    if (this.#limits.keepsHead) this.#head = { reason, fields: controller.rawHeaders }
    this.#wish = this.#limits.wish(headers)
    if (this.#wish.digest && !this.#wish.keep) this.#hash = createHash('sha256')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return
    const room = this.#wish.limit - this.#received
    this.#received += Math.min(chunk.length, room)
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    if (this.#wish.keep) this.#body.add(piece)
    this.#hash?.update(piece)
    if (this.#received > SMALL) noteGarbage(chunk.length)
    if (chunk.length > room) this.#cut(controller)
    else if (this.#body.needsSlot) void this.#waitForSlot(controller)
  }

  onResponseEnd(): void {
    if (!this.#done) this.#finish(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!this.#done) this.fail(error)
  }

  /** Ends the exchange with an error; what came of a body is given all the same, if it is the last attempt. */
  fail(error: unknown): void {
    const failure = failureOf(error).withStatus(this.#status)
    // A redirect has said all in its header.
    if (isRedirect(this.#status)) this.#finish(false)
    else if (this.#status === 0 || (failure.passing && this.#limits.mayRetry)) this.#drop(failure)
    else this.#finish(true, failure)
  }

  #drop(failure: FetchFailure): void {
    this.#done = true
    this.#deadline.clear()
    this.#body.take().slot?.release()
    this.#reject(failure)
  }

  /** Reads on when there is room. It is not the server that is slow meanwhile. */
  async #waitForSlot(controller: Dispatcher.DispatchController): Promise<void> {
    const { takeSlot } = this.#wish
    if (takeSlot === undefined) return
    controller.pause()
    this.#deadline.pause()
    const slot = await takeSlot()
    if (this.#done) return slot.release()
    const start = this.#body.moveTo(slot)
    const isEnough = await this.#wish.isEnough?.(start)
    if (this.#done) return
    this.#deadline.resume()
    if (isEnough) this.#cut(controller)
    else controller.resume()
  }

  /** The rest of the body is not read. */
  #cut(controller: Dispatcher.DispatchController): void {
    this.#finish(true)
    controller.abort(new Error('body longer than wanted'))
  }

  /** Waits for the final answer after an interim one (RFC 9110, 15.2). */
  #passOver(controller: Dispatcher.DispatchController, status: number): void {
    this.#interim++
    // Nobody asked for another protocol, and what follows is in it.
    if (status === 101) this.#refuse(controller, 'unasked, the protocol changed')
    else if (status < 100) this.#refuse(controller, `the status is ${`${status}`.padStart(3, '0')}`)
    else if (this.#interim > MAX_INTERIM) {
      this.#refuse(controller, `more than ${MAX_INTERIM} interim answers`)
    }
  }

  #refuse(controller: Dispatcher.DispatchController, message: string): void {
    const error = new FetchFailure('invalid-response', message, false)
    this.fail(error)
    controller.abort(error)
  }

  #timeOut(): void {
    const error = new FetchFailure('timeout', `no answer within ${this.#limits.timeout} ms`, true)
    this.fail(error)
    this.#controller?.abort(error)
  }

  #finish(truncated: boolean, failure?: FetchFailure): void {
    this.#done = true
    this.#deadline.clear()
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      ...(this.#head !== undefined && { head: this.#head }),
      ...this.#body.take(),
      received: this.#received,
      truncated,
      ...(failure !== undefined && { failure }),
      ...(this.#hash !== undefined && { digest: this.#hash.digest('hex') }),
    })
  }
}

/** Bytes of large bodies after which the buffers that they came in are worth collecting. */
const MUCH = 2 ** 20
let garbage = 0

/** Each read of a socket leaves a buffer behind. */
function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < MUCH) return
  garbage = 0
  collectGarbage('minor')
}
