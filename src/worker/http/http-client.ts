import { originOf } from '../../url/origin.ts'
import type { BodySlots } from '../../wire/body-slots.ts'
import type { Content } from '../../wire/content.ts'
import {
  type Answer,
  bodyWish,
  decodeAnswer,
  loadAnswer,
  mayBeSitemap,
  type Wanted,
} from './answer.ts'
import { archiveOf } from './archive.ts'
import { ACCEPT_ENCODING } from './content-coding.ts'
import { Exchange } from './exchange.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { MinRate } from './rate-watch.ts'
import type { Headers, RawAnswer } from './raw-answer.ts'
import { ScratchFile } from './scratch-file.ts'
import { Transport, type TransportOptions } from './transport.ts'
import { conditionsFor } from './validators.ts'

export interface HttpOptions extends TransportOptions {
  readonly userAgent: string
  /** Further headers, and the origins that may see them. */
  readonly headers: Readonly<Record<string, string>>
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin. */
  readonly authorizations: Readonly<Record<string, string>>
  /** Whether answers are told as records of an archive, too, with all bodies. */
  readonly archives?: boolean
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

/** Where cookies are kept. */
export interface Cookies {
  /** The value of Cookie; undefined when there is none. */
  headerFor(url: string): string | undefined
  /** Takes values of Set-Cookie. */
  take(url: string, setCookies: readonly string[]): void
}

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
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
  readonly #plain: Readonly<Record<string, string>>
  readonly #full: Readonly<Record<string, string>>
  readonly #headerOrigins: ReadonlySet<string>
  readonly #authorizations: ReadonlyMap<string, string>

  /** @param cookies without them, none are kept and none are sent */
  constructor(options: HttpOptions, cookies?: Cookies) {
    this.#options = options
    this.#cookies = cookies
    this.#transport = new Transport(options)
    const { minRate, minRateTime = 10_000 } = options
    this.#minRate =
      minRate === undefined ? undefined : { bytesPerSecond: minRate, over: minRateTime }
    this.#plain = {
      'user-agent': options.userAgent,
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
    }
    this.#full = { ...this.#plain, ...lowerCased(options.headers) }
    this.#headerOrigins = new Set(options.headerOrigins)
    this.#authorizations = new Map(Object.entries(options.authorizations))
  }

  /**
   * An answer, even if its body breaks off: then it says why. One of which nothing came throws.
   * @param maxBody bytes of the decoded body that are read
   * @throws FetchFailure
   */
  async get(url: string, maxBody: number, request: Request = {}): Promise<Answer> {
    const { before = {}, mayRetry = true } = request
    const { archives = false } = this.#options
    const wanted = (answered: Headers) => this.#wantedOf(answered, maxBody, request)
    const headers = { ...this.#headersFor(url, originOf(url)), ...conditionsFor(before) }
    const received = await this.#exchange('GET', url, headers, { wanted, mayRetry })
    this.#receive(url, received)
    const { maxBody: most, slots } = wanted(received.headers)
    const answer = await loadAnswer(received, slots)
    // Decoding may write over what was received.
    const exchange = archives ? { exchange: archiveOf(url, headers, answer) } : {}
    return { ...(await decodeAnswer(answer, most, slots)), ...exchange }
  }

  /**
   * What would be answered, without the body.
   * @throws FetchFailure
   */
  async head(url: string): Promise<Answer> {
    const wish = { wanted: () => NOTHING, mayRetry: true }
    const answer = await this.#exchange('HEAD', url, this.#headersFor(url, originOf(url)), wish)
    this.#receive(url, answer)
    return decodeAnswer(await loadAnswer(answer, undefined), 0, undefined)
  }

  async close(): Promise<void> {
    await this.#transport.destroy()
    this.#scratch.close()
  }

  #wantedOf(answered: Headers, maxPage: number, { keepBody = false, maxSitemap }: Request): Wanted {
    const { bodySlots, archives = false, keepsBodies = false } = this.#options
    const mayList = maxSitemap !== undefined && mayBeSitemap(answered)
    const maxBody = mayList ? maxSitemap : maxPage
    // Room for the largest of these bodies, and for no larger ones.
    const slots = bodySlots.find(({ memory }) => memory.maxBody >= maxBody)
    const isKept = keepBody || mayList || archives || keepsBodies
    return { maxBody, keepBody: isKept, scratch: this.#scratch, slots }
  }

  #headersFor(url: string, origin: string): Readonly<Record<string, string>> {
    const headers = this.#headerOrigins.has(origin) ? this.#full : this.#plain
    const authorization = this.#authorizations.get(origin)
    const cookies = this.#cookies?.headerFor(url)
    if (authorization === undefined && cookies === undefined) return headers
    const cookie = [headers['cookie'], cookies].filter((value) => value !== undefined).join('; ')
    return {
      ...headers,
      ...(authorization !== undefined && { authorization }),
      ...(cookie !== '' && { cookie }),
    }
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

  #exchange(
    method: 'GET' | 'HEAD',
    url: string,
    headers: Readonly<Record<string, string>>,
    { wanted, mayRetry }: { wanted: (answered: Headers) => Wanted; mayRetry: boolean },
  ): Promise<RawAnswer> {
    const origin = originOf(url)
    const { timeout, digests: digest = false, archives = false } = this.#options
    const wish = (answered: Headers) => ({ ...bodyWish(answered, wanted(answered)), digest })
    return new Promise((resolve, reject) => {
      const limits = { timeout, minRate: this.#minRate, wish, keepsHead: archives, mayRetry }
      const exchange = new Exchange(limits, resolve, reject)
      try {
        const path = url.slice(origin.length)
        this.#transport.send(method, origin, path, headers, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v]))
}
