import { untilFilesAreFree } from '../../runtime/out-of-files.ts'
import { originOf } from '../../url/origin.ts'
import { FetchFailure } from '../fetch-failure.ts'
import type { FetchResponse, GetRequest, ResponseHeaders } from '../fetcher.ts'
import type {
  BackendOptions,
  FetcherBackend,
  PreparedGet,
  PreparedHead,
} from '../fetcher-backend.ts'
import type { MinRate } from './body/rate-watch.ts'
import { ScratchFile } from './body/scratch-file.ts'
import { StaleConnection } from './connections/mended-parser.ts'
import { Transport } from './connections/transport.ts'
import {
  type BodyLimits,
  bodyPolicyFor,
  decodeResponse,
  isStyleSheet,
  loadResponse,
  mayBeSitemap,
  type ReceivedResponse,
} from './decode-response.ts'
import { ResponseHandler } from './response-handler.ts'

/** A request, and how its response is read. */
interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | null
  readonly limitsFor: (headers: ResponseHeaders) => BodyLimits
  readonly mayRetry: boolean
}

const NO_BODY: BodyLimits = { maxBody: 0, keepBody: false, slots: undefined }
const PROXY_AUTHENTICATION_REQUIRED = 407

/** Fetches by HTTP/1.1 and HTTP/2 with undici's dispatch: bounded in time, in size and in connections. */
export class HttpFetcher implements FetcherBackend {
  readonly #options: BackendOptions
  readonly #transport: Transport
  readonly #minRate: MinRate | undefined
  readonly #scratch = new ScratchFile()

  constructor(options: BackendOptions) {
    this.#options = options
    this.#transport = new Transport(options)
    const { minRate, minRateTime = 10_000 } = options
    this.#minRate =
      minRate === undefined ? undefined : { bytesPerSecond: minRate, over: minRateTime }
  }

  async get(request: PreparedGet): Promise<FetchResponse> {
    const { url, headers, form, mayRetry = true } = request
    const method = form === undefined ? 'GET' : 'POST'
    const { archive } = this.#options
    const limitsFor = (received: ResponseHeaders) => this.#limitsFor(received, request)
    const received = await this.#request({
      ...{ method, url, headers, limitsFor, mayRetry },
      body: form?.body ?? null,
    } as const)
    this.#checkProxy(url, received)
    request.onHeaders(received.headers)
    const { maxBody, slots } = limitsFor(received.headers)
    const loaded = await loadResponse(received, slots)
    // Decoding may write over what was received.
    const exchange = archive && { exchange: archive(url, headers, loaded) }
    return { ...(await decodeResponse(loaded, maxBody, slots)), ...exchange }
  }

  async head({ url, headers, onHeaders }: PreparedHead): Promise<FetchResponse> {
    const limits = { limitsFor: () => NO_BODY, mayRetry: true }
    const received = await this.#request({ method: 'HEAD', url, headers, ...limits })
    this.#checkProxy(url, received)
    onHeaders(received.headers)
    return decodeResponse(await loadResponse(received, undefined), 0, undefined)
  }

  async close(): Promise<void> {
    await this.#transport.destroy()
    this.#scratch.close()
  }

  #limitsFor(
    headers: ResponseHeaders,
    { maxBody: maxPage, maxSitemap, keepBody = false }: GetRequest,
  ): BodyLimits {
    const { bodySlots, archive, keepsBodies = false, keepsStyleSheets = false } = this.#options
    const isSitemap = maxSitemap !== undefined && mayBeSitemap(headers)
    const maxBody = isSitemap ? maxSitemap : maxPage
    // The smallest slots that the body fits in: there are few of the large ones.
    const slots = bodySlots.find(({ memory }) => memory.maxBody >= maxBody)
    const isRead = isSitemap || (keepsStyleSheets && isStyleSheet(headers))
    const isKept = keepBody || isRead || archive !== undefined || keepsBodies
    return { maxBody, keepBody: isKept, scratch: this.#scratch, slots }
  }

  #checkProxy(url: string, response: ReceivedResponse): void {
    const isOfProxy = this.#transport.isForwarded(originOf(url))
    if (!isOfProxy || response.status !== PROXY_AUTHENTICATION_REQUIRED) return
    response.stored?.release()
    throw new FetchFailure('proxy-failure', 'the proxy wants other credentials', false)
  }

  /** Sends a request as soon as a file descriptor is free for its connection. */
  #request(sent: HttpRequest): Promise<ReceivedResponse> {
    return untilFilesAreFree(
      () => this.#requestOnce(sent),
      () => this.#transport.closeIdle(),
    )
  }

  /** Sends a request on a connection that was kept alive, if there is one, and again on a new one if that is stale. */
  async #requestOnce(sent: HttpRequest): Promise<ReceivedResponse> {
    const { limits, timeout } = this.#options
    const started = performance.now()
    try {
      // A form is sent once: nobody knows what became of it on a stale connection.
      return await this.#send(sent, timeout, sent.body != null)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      const left = timeout - (performance.now() - started)
      await limits?.resend()
      return this.#send(sent, Math.max(1, left), true)
    }
  }

  #send(
    { method, url, headers, body = null, limitsFor, mayRetry }: HttpRequest,
    timeout: number,
    isFresh: boolean,
  ): Promise<ReceivedResponse> {
    const origin = originOf(url)
    const path = url.slice(origin.length)
    const { digests: digest = false, archive, limits: crawlLimits } = this.#options
    const policyFor = (received: ResponseHeaders) => ({
      ...bodyPolicyFor(received, limitsFor(received)),
      digest,
    })
    const limits = {
      ...{ timeout, minRate: this.#minRate, policyFor, mayRetry },
      keepsHead: archive !== undefined,
      budget: crawlLimits?.bytes,
    }
    return new Promise((resolve, reject) => {
      const handler = new ResponseHandler(limits, resolve, reject)
      try {
        this.#transport.send({ method, origin, path, headers, body, isFresh }, handler)
      } catch (error) {
        handler.fail(error)
      }
    })
  }
}
