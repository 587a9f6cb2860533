import { originOf } from '../../url/origin.ts'
import type { Content } from '../../wire/content.ts'
import { ACCEPT_ENCODING, decodeContent } from './content-coding.ts'
import { type ContentType, isHtml, parseContentType } from './content-type.ts'
import { type BodyWish, Exchange, isRedirect, type RawAnswer } from './exchange.ts'
import { FetchFailure, failureOf } from './fetch-failure.ts'
import { sniffType } from './sniff.ts'
import { Transport, type TransportOptions } from './transport.ts'
import { conditionsFor } from './validators.ts'

export interface HttpOptions extends TransportOptions {
  readonly userAgent: string
  /** Further headers, and the origins that may see them. */
  readonly headers: Readonly<Record<string, string>>
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin. */
  readonly authorizations: Readonly<Record<string, string>>
  /** Whether bodies that are not kept are digested. */
  readonly digests?: boolean
}

/** Where cookies are kept. */
export interface Cookies {
  /** The value of Cookie; undefined when there is none. */
  headerFor(url: string): string | undefined
  /** Takes values of Set-Cookie. */
  take(url: string, setCookies: readonly string[]): void
}

/** An answer with its codings undone. */
export interface Answer {
  readonly status: number
  readonly headers: RawAnswer['headers']
  readonly contentType?: ContentType
  /** The decoded body where it was kept: of pages, and of what `keepBody` asks for. */
  readonly body?: Buffer
  /** Bytes of the decoded body. */
  readonly bytes: number
  readonly truncated: boolean
  /** Of a body that was not kept, where digests are wanted: SHA-256 in hexadecimal. */
  readonly digest?: string
}

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
const PROXY_AUTHENTICATION_REQUIRED = 407

/** Fetches by GET with undici's dispatch: bounded in time, in size and in connections. */
export class HttpClient {
  readonly #options: HttpOptions
  readonly #cookies: Cookies | undefined
  readonly #transport: Transport
  readonly #plain: Readonly<Record<string, string>>
  readonly #full: Readonly<Record<string, string>>
  readonly #headerOrigins: ReadonlySet<string>
  readonly #authorizations: ReadonlyMap<string, string>

  /** @param cookies without them, none are kept and none are sent */
  constructor(options: HttpOptions, cookies?: Cookies) {
    this.#options = options
    this.#cookies = cookies
    this.#transport = new Transport(options)
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
   * @param maxBody bytes of the decoded body that are read
   * @param before what the URL held: a body is wanted only when there is another one
   * @throws FetchFailure
   */
  async get(url: string, maxBody: number, keepBody = false, before: Content = {}): Promise<Answer> {
    const answer = await this.#exchange(url, { maxBody, keepBody, before })
    const isProxys = this.#transport.isForwarded(originOf(url))
    if (isProxys && answer.status === PROXY_AUTHENTICATION_REQUIRED) {
      throw new FetchFailure('proxy-failure', 'the proxy wants other credentials', false)
    }
    this.#keepCookies(url, answer)
    return decode(answer, maxBody)
  }

  close(): Promise<void> {
    return this.#transport.destroy()
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

  #keepCookies(url: string, { headers }: RawAnswer): void {
    const setCookies = headers['set-cookie']
    if (setCookies !== undefined) this.#cookies?.take(url, [setCookies].flat())
  }

  #exchange(url: string, { maxBody, keepBody, before }: Wanted): Promise<RawAnswer> {
    const origin = originOf(url)
    const headers = { ...this.#headersFor(url, origin), ...conditionsFor(before) }
    const { timeout, digests: digest = false } = this.#options
    const wish = (answered: RawAnswer['headers']) => ({
      ...bodyWish(answered, maxBody, keepBody),
      digest,
    })
    return new Promise((resolve, reject) => {
      const exchange = new Exchange({ timeout, wish }, resolve, reject)
      try {
        const path = url.slice(origin.length)
        this.#transport.get(origin, path, headers, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }
}

interface Wanted {
  readonly maxBody: number
  readonly keepBody: boolean
  readonly before: Content
}

function bodyWish(
  headers: RawAnswer['headers'],
  maxBody: number,
  keepBody: boolean,
): Omit<BodyWish, 'digest'> {
  // What doesn't compress gets longer by its coding, by less than this.
  if (headers['content-encoding'] !== undefined) {
    return { keep: true, limit: maxBody + Math.ceil(maxBody / 100) + 1024 }
  }
  return { keep: keepBody || mayBePage(headers), limit: maxBody }
}

async function decode(raw: RawAnswer, maxBody: number): Promise<Answer> {
  const { status, headers, chunks, received, truncated, digest } = raw
  if (chunks.length === 0) {
    const size = { bytes: received, truncated, ...(digest !== undefined && { digest }) }
    return { status, headers, ...typeOf(headers), ...size }
  }
  const [first] = chunks
  const coded = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
  try {
    const coding = single(headers['content-encoding']) ?? ''
    const { body, truncated: cut } = await decodeContent(coded, coding, maxBody)
    const isCut = truncated || cut
    return { status, headers, ...typeOf(headers, body), body, bytes: body.length, truncated: isCut }
  } catch (error) {
    if (isRedirect(status)) return { status, headers, bytes: received, truncated }
    throw failureOf(error).withStatus(status)
  }
}

/** What the header says; without a header, what the first bytes say. */
function typeOf(headers: RawAnswer['headers'], body?: Buffer): { contentType?: ContentType } {
  const declared = contentTypeOf(headers)
  if (declared !== undefined) return { contentType: declared }
  return body === undefined ? {} : { contentType: { type: sniffType(body) } }
}

/** Without a type it may be anything: its bytes are looked at. */
function mayBePage(headers: RawAnswer['headers']): boolean {
  const contentType = contentTypeOf(headers)
  return contentType === undefined || isHtml(contentType.type)
}

function contentTypeOf(headers: RawAnswer['headers']): ContentType | undefined {
  const header = single(headers['content-type'])
  return header === undefined ? undefined : parseContentType(header)
}

/** A header that was sent several times counts as one list (RFC 9110, 5.3). */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v]))
}
