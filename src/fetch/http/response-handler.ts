import { isRedirect } from '../../records/redirect-status.ts'
import { isOutOfFiles } from '../../runtime/out-of-files.ts'
import type { ByteBudget } from '../../throttle/byte-budget.ts'
import type { BodyRequest } from '../body-needs.ts'
import { FetchFailure } from '../fetch-failure.ts'
import type { ResponseHeaders } from '../fetcher.ts'
import type { RawHead } from '../raw-response.ts'
import type { BodyBuffers } from './body/body-buffers.ts'
import type { BodyPlanner } from './body/body-plan.ts'
import { IncomingBody } from './body/incoming-body.ts'
import { type MinRate, watchRate } from './body/rate-watch.ts'
import type { ResponseControl, ResponseListener } from './connection-pool.ts'
import { StaleConnectionError } from './connections/stale-connection.ts'
import { Deadline } from './deadline.ts'
import type { ReceivedResponse } from './decode-response.ts'
import { failureOf, invalidResponse } from './network-failure.ts'

/** Maximum number of interim responses before the final one; CPython's and Ruby's clients have the same limit. */
const MAX_INTERIM = 100

/** Options to read all responses of a fetcher. */
export interface ReadingOptions {
  readonly planner: BodyPlanner
  readonly buffers: BodyBuffers
  readonly minRate: MinRate | undefined
  readonly keepsHead: boolean
  /** The bytes that may be read now; undefined without a limit. */
  readonly budget: ByteBudget | undefined
}

/** Options to read the response to one request. */
export interface ReadRequest {
  readonly bodyRequest: BodyRequest
  /** True if a transient failure will be retried. Then a partial body is dropped. */
  readonly mayRetry: boolean
  /** Milliseconds that are added to the time limit when a response begins. */
  readonly extraTime: number
}

/** Handles the response to one request. Needs no stream, and no promise per chunk. */
export class ResponseHandler implements ResponseListener {
  readonly #options: ReadingOptions
  readonly #request: ReadRequest
  readonly #resolve: (response: ReceivedResponse) => void
  readonly #reject: (error: unknown) => void
  readonly #deadline: Deadline
  /** The time limit in milliseconds, for its message. */
  #limit: number
  #rateWatch: NodeJS.Timeout | undefined
  #control: ResponseControl | undefined
  /** Number of interim responses so far. */
  #interim = 0
  #status = 0
  #headers: ResponseHeaders = {}
  #head: RawHead | undefined
  #body: IncomingBody | undefined
  #done = false

  /** @param timeout milliseconds from the request to the end of the body, without pauses in reading */
  constructor(
    options: ReadingOptions,
    request: ReadRequest,
    timeout: number,
    resolve: (response: ReceivedResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#options = options
    this.#request = request
    this.#resolve = resolve
    this.#reject = reject
    this.#limit = timeout
    this.#deadline = new Deadline(timeout, () => {
      this.#timeOut(`no complete response within ${this.#limit} ms`)
    })
  }

  get isDone(): boolean {
    return this.#done
  }

  onRequestStart(control: ResponseControl): void {
    this.#control = control
    if (this.#done) control.abort(new Error('too late'))
  }

  onResponseStart(
    control: ResponseControl,
    status: number,
    headers: ResponseHeaders,
    reason = '',
  ): void {
    if (this.#done) return
    if (status < 200) {
      this.#passOver(control, status)
      return
    }
    this.#status = status
    this.#headers = headers
    this.#extendLimit()
    const { planner, buffers, minRate, keepsHead } = this.#options
    if (keepsHead) {
      const { rawHeaders: fields, isHttp2, remoteAddress } = control
      this.#head = { reason, fields, isHttp2, remoteAddress }
    }
    const plan = planner.planFor(headers, this.#request.bodyRequest)
    const expected = Number(headers['content-length'] ?? 0)
    const onExceeded = () => {
      if (!this.#done) this.#cut(control)
    }
    const body = new IncomingBody(plan, expected, buffers, onExceeded)
    this.#body = body
    if (minRate !== undefined) this.#watchRate(minRate, body)
  }

  onResponseData(control: ResponseControl, chunk: Buffer): void {
    if (this.#done) return
    if (this.#body?.add(chunk) === false) this.#cut(control)
    else if (this.#options.budget?.isOverdrawn) this.#waitFor(control, this.#options.budget)
  }

  onResponseEnd(): void {
    if (!this.#done) this.#finish('whole')
  }

  /** Ends the request with an error. The last attempt resolves with the received part of the body. */
  fail(error: unknown): void {
    if (this.#done) return
    if (error instanceof StaleConnectionError || isOutOfFiles(error)) {
      this.#drop(error)
      return
    }
    const failure = failureOf(error).withStatus(this.#status)
    // A redirect needs no body.
    if (isRedirect(this.#status)) this.#finish('truncated')
    else if (this.#status === 0 || (failure.isTransient && this.#request.mayRetry))
      this.#drop(failure)
    else this.#finish('truncated', failure)
  }

  #drop(error: unknown): void {
    this.#end()
    this.#body?.drop()
    this.#reject(error)
  }

  #end(): void {
    this.#done = true
    this.#deadline.clear()
    clearInterval(this.#rateWatch)
  }

  #extendLimit(): void {
    const { extraTime } = this.#request
    if (extraTime === 0) return
    this.#limit += extraTime
    this.#deadline.extend(extraTime)
  }

  #watchRate(minRate: MinRate, body: IncomingBody): void {
    this.#rateWatch = watchRate(
      minRate,
      () => body.received,
      () => this.#deadline.pausedMs,
      (why) => this.#timeOut(why),
    )
  }

  /**
   * True if the body is complete according to Content-Length. Its reading must not be paused then: with HTTP/2, the
   * response would fail if the connection closed during the pause.
   */
  get #isWhole(): boolean {
    return Number(this.#headers['content-length']) === this.#body?.received
  }

  /** Pauses reading until the bandwidth allows for all bytes that were read. */
  #waitFor(control: ResponseControl, budget: ByteBudget): void {
    if (control.paused || this.#isWhole) return
    control.pause()
    this.#deadline.pause()
    const proceed = () => {
      if (this.#done) return
      this.#deadline.resume()
      control.resume()
    }
    // When the crawl stops, the response stays paused: the fetcher is closed soon.
    budget.whenPaid(proceed, () => {})
  }

  /** Ends the response without the rest of its body. */
  #cut(control: ResponseControl): void {
    this.#finish('truncated')
    control.abort(new Error('body longer than wanted'))
  }

  /** Waits for the final response after an interim one (RFC 9110, 15.2). */
  #passOver(control: ResponseControl, status: number): void {
    this.#interim++
    // The request has no Upgrade header, and the following bytes are in another protocol.
    if (status === 101) this.#refuse(control, 'the server switched protocols (status 101)')
    else if (status < 100) this.#refuse(control, `the status is ${`${status}`.padStart(3, '0')}`)
    else if (this.#interim > MAX_INTERIM) {
      this.#refuse(control, `more than ${MAX_INTERIM} interim responses`)
    }
  }

  #refuse(control: ResponseControl, message: string): void {
    const error = invalidResponse(message)
    this.fail(error)
    control.abort(error)
  }

  #timeOut(message: string): void {
    const error = new FetchFailure('timeout', message, 'transient')
    this.fail(error)
    this.#control?.abort(error)
  }

  #finish(extent: 'whole' | 'truncated', failure?: FetchFailure): void {
    const incoming = this.#body
    if (incoming === undefined) {
      this.#drop(new Error('the response ended before its header'))
      return
    }
    this.#end()
    const { body, stored, release } = incoming.take()
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      plan: incoming.plan,
      head: this.#head,
      ms: this.#deadline.activeMs,
      body,
      stored,
      release,
      received: incoming.received,
      truncated: extent === 'truncated',
      failure,
      digest: incoming.takeDigest(),
      start: incoming.start,
    })
  }
}
