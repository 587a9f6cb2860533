import { Agent } from 'undici'
import { originOf } from '../../url/origin.ts'
import { ACCEPT_ENCODING, decodeContent } from './content-coding.ts'
import { type ContentType, isHtml, parseContentType } from './content-type.ts'
import { type BodyWish, Exchange, isRedirect, type RawAnswer } from './exchange.ts'
import { failureOf } from './fetch-failure.ts'
import { sniffType } from './sniff.ts'

export interface HttpOptions {
  readonly concurrency: number
  /** Milliseconds for one request, all of it. */
  readonly timeout: number
  readonly userAgent: string
  /** Further headers, and the origins that may see them. */
  readonly headers: Readonly<Record<string, string>>
  readonly headerOrigins: readonly string[]
  readonly insecure: boolean
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
}

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
const MAX_HEADER_BYTES = 64 * 1024

/** Fetches by GET with undici's dispatch: bounded in time, in size and in connections. */
export class HttpClient {
  readonly #options: HttpOptions
  readonly #agent: Agent
  readonly #plain: Readonly<Record<string, string>>
  readonly #full: Readonly<Record<string, string>>
  readonly #headerOrigins: ReadonlySet<string>

  constructor(options: HttpOptions) {
    this.#options = options
    this.#agent = new Agent({
      connections: options.concurrency,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      connect: { timeout: options.timeout, rejectUnauthorized: !options.insecure },
    })
    this.#plain = {
      'user-agent': options.userAgent,
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
    }
    this.#full = { ...this.#plain, ...lowerCased(options.headers) }
    this.#headerOrigins = new Set(options.headerOrigins)
  }

  /**
   * @param maxBody bytes of the decoded body that are read
   * @throws FetchFailure
   */
  async get(url: string, maxBody: number, keepBody = false): Promise<Answer> {
    return decode(await this.#exchange(url, maxBody, keepBody), maxBody)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #exchange(url: string, maxBody: number, keepBody: boolean): Promise<RawAnswer> {
    const origin = originOf(url)
    const headers = this.#headerOrigins.has(origin) ? this.#full : this.#plain
    const wish = (answered: RawAnswer['headers']) => bodyWish(answered, maxBody, keepBody)
    const { timeout } = this.#options
    return new Promise((resolve, reject) => {
      const exchange = new Exchange({ timeout, wish }, resolve, reject)
      try {
        const path = url.slice(origin.length)
        this.#agent.dispatch({ origin, path, method: 'GET', headers }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }
}

function bodyWish(headers: RawAnswer['headers'], maxBody: number, keepBody: boolean): BodyWish {
  // What doesn't compress gets longer by its coding, by less than this.
  if (headers['content-encoding'] !== undefined) {
    return { keep: true, limit: maxBody + Math.ceil(maxBody / 100) + 1024 }
  }
  return { keep: keepBody || mayBePage(headers), limit: maxBody }
}

async function decode(raw: RawAnswer, maxBody: number): Promise<Answer> {
  const { status, headers, chunks, received, truncated } = raw
  if (chunks.length === 0) {
    return { status, headers, ...typeOf(headers), bytes: received, truncated }
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
