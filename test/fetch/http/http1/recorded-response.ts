import type { ResponseHeaders } from '../../../../src/fetch/fetcher.ts'
import type {
  ConnectionPool,
  ResponseControl,
  ResponseListener,
  TransportRequest,
} from '../../../../src/fetch/http/connection-pool.ts'

type Callback = 'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'fail'

/** Called in each callback of a listener, before the listener does anything. */
export type During = (callback: Callback, control: ResponseControl | undefined) => void

/** A listener that records a response. `whole` resolves with its body, or rejects with the reason of its failure. */
export class RecordedResponse implements ResponseListener {
  isDone = false
  /** Names of the callbacks, in order. */
  readonly calls: Callback[] = []
  readonly statuses: number[] = []
  readonly reasons: (string | undefined)[] = []
  headers: ResponseHeaders = {}
  rawHeaders: ResponseControl['rawHeaders'] = []
  control: ResponseControl | undefined
  body = ''
  /** The latest error that it failed with. */
  failure: unknown
  readonly whole: Promise<string>
  readonly #during: During
  readonly #result = Promise.withResolvers<string>()

  constructor(during: During = () => {}) {
    this.#during = during
    this.whole = this.#result.promise
    this.whole.catch(() => {})
  }

  onRequestStart(control: ResponseControl): void {
    this.control = control
    this.#note('onRequestStart')
  }

  onResponseStart(
    control: ResponseControl,
    status: number,
    headers: ResponseHeaders,
    reason?: string,
  ): void {
    this.statuses.push(status)
    this.reasons.push(reason)
    this.headers = headers
    this.rawHeaders = control.rawHeaders
    this.#note('onResponseStart')
  }

  onResponseData(_: ResponseControl, bytes: Buffer): void {
    this.body += bytes.toString('latin1')
    this.#note('onResponseData')
  }

  onResponseEnd(): void {
    this.isDone = true
    this.#note('onResponseEnd')
    this.#result.resolve(this.body)
  }

  fail(error: unknown): void {
    this.isDone = true
    this.failure = error
    this.#result.reject(error)
    this.#note('fail')
  }

  #note(callback: Callback): void {
    this.calls.push(callback)
    this.#during(callback, this.control)
  }
}

/** Returns a request for `/`, with these changes. */
export function requestTo(
  origin: string,
  request: Partial<TransportRequest> = {},
): TransportRequest {
  return { method: 'GET', origin, path: '/', headers: {}, body: null, isFresh: false, ...request }
}

/** Sends a request. Returns its response, which is still being recorded. */
export function dispatch(
  pool: Pick<ConnectionPool, 'dispatch'>,
  origin: string,
  request: Partial<TransportRequest> = {},
  during?: During,
): RecordedResponse {
  const response = new RecordedResponse(during)
  pool.dispatch(requestTo(origin, request), response)
  return response
}

/** Returns the body of a response. */
export function getFrom(
  pool: Pick<ConnectionPool, 'dispatch'>,
  origin: string,
  request: Partial<TransportRequest> = {},
): Promise<string> {
  return dispatch(pool, origin, request).whole
}
