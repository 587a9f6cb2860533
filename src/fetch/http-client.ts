import type { Content } from '../records/content.ts'
import type { ArchivedExchange } from '../records/delivery.ts'
import type { BodySlots } from '../runtime/body-slots.ts'
import { untilFilesAreFree } from '../runtime/open-files.ts'
import { originOf } from '../url/origin.ts'
import {
  type Answer,
  bodyWish,
  decodeAnswer,
  type LoadedAnswer,
  loadAnswer,
  mayBeSitemap,
  type Wanted,
} from './answer.ts'
import { Exchange } from './exchange.ts'
import { FetchFailure } from './fetch-failure.ts'
import { StaleConnection } from './mended-parser.ts'
import type { MinRate } from './rate-watch.ts'
import type { Headers, RawAnswer } from './raw-answer.ts'
import { type Cookies, type RequestHeaderOptions, RequestHeaders } from './request-headers.ts'
import { ScratchFile } from './scratch-file.ts'
import { Transport, type TransportOptions } from './transport.ts'
import { conditionsFor } from './validators.ts'

/** @param headers of the request, beside those of the connection */
type Archive = (
  url: string,
  headers: Readonly<Record<string, string>>,
  answer: LoadedAnswer,
) => ArchivedExchange

export interface HttpOptions extends TransportOptions, RequestHeaderOptions {
  /** Makes records of an archive of each answer, where one is wanted: then all bodies are kept. */
  readonly archive?: Archive | undefined
  /** Whether all bodies are kept. */
  readonly keepsBodies?: boolean
  /** Whether bodies that are not kept are digested. */
  readonly digests?: boolean
  /** Room for large bodies that have come, by the size of the largest; without it they are on the heap. */
  readonly bodySlots: readonly BodySlots[]
  /** Bytes a second that a body has to come with, over `minRateTime` milliseconds. */
  readonly minRate?: number | undefined
  readonly minRateTime?: number
}

/** What is wanted beside a page. */
export interface Request {
  /** Whether the body is kept even if it is no page. */
  readonly keepBody?: boolean
  /** Bytes that are read, and kept, of what may be a sitemap by its type, where that is wanted. */
  readonly maxSitemap?: number | undefined
  /** What the URL held: a body is wanted only when there is another one. */
  readonly before?: Content
  /** Whether a failure that may pass is thrown in place of what had come by then. */
  readonly mayRetry?: boolean
}

/** A request, and what is wanted of its answer. */
interface Sent {
  readonly method: 'GET' | 'HEAD'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly wanted: (answered: Headers) => Wanted
  readonly mayRetry: boolean
}

/** Of a body. */
const NOTHING: Wanted = { maxBody: 0, keepBody: false, slots: undefined }
const PROXY_AUTHENTICATION_REQUIRED = 407

/** Fetches with undici's dispatch: bounded in time, in size and in connections. */
export class HttpClient {
  readonly #options: HttpOptions
  readonly #cookies: Cookies | undefined
  readonly #transport: Transport
  readonly #minRate: MinRate | undefined
  readonly #scratch = new ScratchFile()
  readonly #headers: RequestHeaders

  /** @param cookies without them, none are kept and none are sent */
  constructor(options: HttpOptions, cookies?: Cookies) {
    this.#options = options
    this.#cookies = cookies
    this.#transport = new Transport(options)
    this.#headers = new RequestHeaders(options, cookies)
    const { minRate, minRateTime = 10_000 } = options
    this.#minRate =
      minRate === undefined ? undefined : { bytesPerSecond: minRate, over: minRateTime }
  }

  /**
   * An answer, even if its body breaks off: then it says why. One of which nothing came throws.
   * @param maxBody bytes of the decoded body that are read
   * @throws FetchFailure
   */
  async get(url: string, maxBody: number, request: Request = {}): Promise<Answer> {
    const { before = {}, mayRetry = true } = request
    const { archive } = this.#options
    const wanted = (answered: Headers) => this.#wantedOf(answered, maxBody, request)
    const headers = { ...this.#headers.for(url), ...conditionsFor(before) }
    const received = await this.#exchange({ method: 'GET', url, headers, wanted, mayRetry })
    this.#receive(url, received)
    const { maxBody: most, slots } = wanted(received.headers)
    const answer = await loadAnswer(received, slots)
    // Decoding may write over what was received.
    const exchange = archive && { exchange: archive(url, headers, answer) }
    return { ...(await decodeAnswer(answer, most, slots)), ...exchange }
  }

  /**
   * What would be answered, without the body.
   * @throws FetchFailure
   */
  async head(url: string): Promise<Answer> {
    const headers = this.#headers.for(url)
    const wish = { wanted: () => NOTHING, mayRetry: true }
    const answer = await this.#exchange({ method: 'HEAD', url, headers, ...wish })
    this.#receive(url, answer)
    return decodeAnswer(await loadAnswer(answer, undefined), 0, undefined)
  }

  async close(): Promise<void> {
    await this.#transport.destroy()
    this.#scratch.close()
  }

  #wantedOf(answered: Headers, maxPage: number, { keepBody = false, maxSitemap }: Request): Wanted {
    const { bodySlots, archive, keepsBodies = false } = this.#options
    const mayList = maxSitemap !== undefined && mayBeSitemap(answered)
    const maxBody = mayList ? maxSitemap : maxPage
    // Room for the largest of these bodies, and for no larger ones.
    const slots = bodySlots.find(({ memory }) => memory.maxBody >= maxBody)
    const isKept = keepBody || mayList || archive !== undefined || keepsBodies
    return { maxBody, keepBody: isKept, scratch: this.#scratch, slots }
  }

  #receive(url: string, answer: RawAnswer): void {
    const isProxys = this.#transport.isForwarded(originOf(url))
    if (isProxys && answer.status === PROXY_AUTHENTICATION_REQUIRED) {
      answer.stored?.release()
      throw new FetchFailure('proxy-failure', 'the proxy wants other credentials', false)
    }
    const setCookies = answer.headers['set-cookie']
    if (setCookies !== undefined) this.#cookies?.take(url, [setCookies].flat())
  }

  /** An answer, as soon as there is a free file for its connection. */
  #exchange(sent: Sent): Promise<RawAnswer> {
    return untilFilesAreFree(
      () => this.#exchangeOnce(sent),
      () => this.#transport.closeIdle(),
    )
  }

  /** An answer, on a connection that was kept alive if there is one, and on a new one if that is stale. */
  async #exchangeOnce(sent: Sent): Promise<RawAnswer> {
    const { timeout } = this.#options
    const started = performance.now()
    try {
      return await this.#send(sent, timeout, false)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      const left = timeout - (performance.now() - started)
      return this.#send(sent, Math.max(1, left), true)
    }
  }

  #send(
    { method, url, headers, wanted, mayRetry }: Sent,
    timeout: number,
    isFresh: boolean,
  ): Promise<RawAnswer> {
    const origin = originOf(url)
    const path = url.slice(origin.length)
    const { digests: digest = false, archive } = this.#options
    const wish = (answered: Headers) => ({ ...bodyWish(answered, wanted(answered)), digest })
    return new Promise((resolve, reject) => {
      const limits = {
        timeout,
        minRate: this.#minRate,
        wish,
        keepsHead: archive !== undefined,
        mayRetry,
      }
      const exchange = new Exchange(limits, resolve, reject)
      try {
        this.#transport.send({ method, origin, path, headers, isFresh }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }
}
