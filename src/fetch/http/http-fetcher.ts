import { MAX_TIMER_MS } from '../../runtime/max-timer.ts'
import { isOutOfFiles, untilFilesAreFree } from '../../runtime/out-of-files.ts'
import type { RequestLimits } from '../../throttle/request-limits.ts'
import { originOf } from '../../url/origin.ts'
import type { FetchRequest, FetchResponse, GetRequest } from '../fetcher.ts'
import type { BackendOptions, FetcherBackend, PreparedRequest } from '../fetcher-backend.ts'
import { BodyBuffers } from './body/body-buffers.ts'
import { BodyPlanner } from './body/body-plan.ts'
import { ScratchFile } from './body/scratch-file.ts'
import { PROXY_AUTHENTICATION_REQUIRED, unauthenticated } from './connections/proxy-server.ts'
import { StaleConnectionError } from './connections/stale-connection.ts'
import {
  asReceived,
  decodeResponse,
  loadResponse,
  type ReceivedResponse,
} from './decode-response.ts'
import { connectionReset } from './network-failure.ts'
import { type ReadingOptions, type ReadRequest, ResponseHandler } from './response-handler.ts'
import { Transport } from './transport.ts'

/** A request with the options to read its response. */
interface HttpRequest extends ReadRequest, PreparedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  readonly body: string | null
}

/** Maximum number of times that the time limit is added for a body after failed attempts. */
const MAX_EXTENSIONS = 3

/** Fetches with HTTP/1.1 and HTTP/2. Bounds the time, the size of bodies and the number of connections. */
export class HttpFetcher implements FetcherBackend {
  readonly #timeout: number
  readonly #limits: RequestLimits | undefined
  readonly #archive: BackendOptions['archive']
  readonly #transport: Transport
  readonly #reading: ReadingOptions
  readonly #scratch = new ScratchFile()

  constructor(options: BackendOptions) {
    const { timeout, limits, archive, minRate, minRateTime = 10_000 } = options
    this.#timeout = timeout
    this.#limits = limits
    this.#archive = archive
    this.#transport = new Transport(options)
    this.#reading = {
      planner: new BodyPlanner(options, this.#scratch),
      buffers: new BodyBuffers(options.reusesBodies === true),
      minRate: minRate === undefined ? undefined : { bytesPerSecond: minRate, over: minRateTime },
      keepsHead: archive !== undefined,
      budget: limits?.bytes,
    }
  }

  get(request: GetRequest, { headers, onHeaders }: PreparedRequest): Promise<FetchResponse> {
    const { url, form, mayRetry = true, failures = 0 } = request
    const method = form === undefined ? 'GET' : 'POST'
    const body = form === undefined ? null : form.body
    const wanted = this.#timeout * Math.min(failures, MAX_EXTENSIONS)
    const extraTime = Math.min(wanted, MAX_TIMER_MS - this.#timeout)
    const reading = { bodyRequest: request, mayRetry, extraTime }
    return this.#fetch({ method, url, headers, body, onHeaders, ...reading })
  }

  head({ url }: FetchRequest, { headers, onHeaders }: PreparedRequest): Promise<FetchResponse> {
    const reading = { bodyRequest: { url, maxBody: 0 }, mayRetry: true, extraTime: 0 }
    return this.#fetch({ method: 'HEAD', url, headers, body: null, onHeaders, ...reading })
  }

  async close(): Promise<void> {
    await this.#transport.destroy()
    this.#scratch.close()
  }

  #fetch(request: HttpRequest): Promise<FetchResponse> {
    const started = performance.now()
    // Most requests succeed at the first attempt: this path creates no further promises.
    return this.#sendInitial(request).then(
      (received) => this.#read(request, received),
      (error) => this.#recover(request, error, started),
    )
  }

  #read(request: HttpRequest, received: ReceivedResponse): FetchResponse | Promise<FetchResponse> {
    this.#checkProxy(request.url, received)
    request.onHeaders(received.headers)
    // Programs that show an archive would show an empty page for a response to HEAD.
    const archive = request.method === 'HEAD' ? undefined : this.#archive
    const ready = archive === undefined ? asReceived(received) : undefined
    return ready ?? this.#decode(request, received, archive)
  }

  async #decode(
    request: HttpRequest,
    received: ReceivedResponse,
    archive: BackendOptions['archive'],
  ): Promise<FetchResponse> {
    const loaded = await loadResponse(received)
    // The archive comes first, since decoding may overwrite the received bytes.
    const { url, headers } = request
    const exchange = archive?.(url, headers, loaded, this.#serverOf(url, loaded))
    const response = await decodeResponse(loaded)
    return exchange === undefined ? response : { ...response, exchange }
  }

  /** Returns the IP address of the server that a response is from; undefined if a proxy was used. */
  #serverOf(url: string, { head }: ReceivedResponse): string | undefined {
    return this.#transport.isProxied(originOf(url)) ? undefined : head?.remoteAddress
  }

  #checkProxy(url: string, response: ReceivedResponse): void {
    if (response.status !== PROXY_AUTHENTICATION_REQUIRED) return
    if (!this.#transport.isForwarded(originOf(url))) return
    response.stored?.release()
    response.release()
    throw unauthenticated()
  }

  /**
   * Sends a failed request again if that may help: at once if its connection was stale, or as soon as a file descriptor
   * is free for a connection.
   */
  async #recover(request: HttpRequest, error: unknown, started: number): Promise<FetchResponse> {
    const closeIdle = () => this.#transport.closeIdle()
    const received = await this.#resendIfStale(request, error, started).catch((failure) => {
      if (!isOutOfFiles(failure)) throw failure
      closeIdle()
      return untilFilesAreFree(() => this.#sendAndResend(request), closeIdle)
    })
    return this.#read(request, received)
  }

  async #sendAndResend(request: HttpRequest): Promise<ReceivedResponse> {
    const started = performance.now()
    try {
      return await this.#sendInitial(request)
    } catch (error) {
      return this.#resendIfStale(request, error, started)
    }
  }

  /**
   * Sends a request on a connection that was kept alive, if there is one. A form is sent on a new connection: if a
   * kept connection turned out to be stale, it would be unknown whether the server has processed the form.
   */
  #sendInitial(request: HttpRequest): Promise<ReceivedResponse> {
    return this.#send(request, this.#timeout, request.body !== null)
  }

  /**
   * Sends a request again if it failed because its connection was stale: once, or twice if the server certainly did not
   * process it either time. The second time it gets its own connection, since a shared one may end too early again.
   * @throws the error of other failures
   */
  async #resendIfStale(
    request: HttpRequest,
    error: unknown,
    started: number,
    resent = 0,
  ): Promise<ReceivedResponse> {
    if (!(error instanceof StaleConnectionError)) throw error
    if (resent >= (error.isUnprocessed ? 2 : 1)) throw connectionReset(error.message)
    const left = this.#timeout - (performance.now() - started)
    await this.#limits?.resend()
    const isFresh = !error.isShared || resent > 0 || request.body !== null
    return this.#send(request, Math.max(1, Math.ceil(left)), isFresh).catch((again) =>
      this.#resendIfStale(request, again, started, resent + 1),
    )
  }

  #send(request: HttpRequest, timeout: number, isFresh: boolean): Promise<ReceivedResponse> {
    const { method, url, headers, body } = request
    const origin = originOf(url)
    const path = url.slice(origin.length)
    return new Promise((resolve, reject) => {
      const handler = new ResponseHandler(this.#reading, request, timeout, resolve, reject)
      try {
        this.#transport.send({ method, origin, path, headers, body, isFresh }, handler)
      } catch (error) {
        handler.fail(error)
      }
    })
  }
}
