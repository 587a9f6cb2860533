import { originOf } from '../url/origin.ts'
import { ACCEPT_ENCODING } from './content-coding.ts'

export interface RequestHeaderOptions {
  readonly userAgent: string
  /** Further headers, and the origins that may see them. */
  readonly headers: Headers
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin. */
  readonly authorizations: Headers
}

/** Where cookies are kept. */
export interface Cookies {
  /** The value of Cookie; undefined when there is none. */
  headerFor(url: string): string | undefined
  /** Takes values of Set-Cookie. */
  take(url: string, setCookies: readonly string[]): void
}

type Headers = Readonly<Record<string, string>>

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The headers of requests: some go to some origins only. */
export class RequestHeaders {
  readonly #cookies: Cookies | undefined
  readonly #plain: Headers
  readonly #full: Headers
  readonly #headerOrigins: ReadonlySet<string>
  readonly #authorizations: ReadonlyMap<string, string>

  constructor(options: RequestHeaderOptions, cookies: Cookies | undefined) {
    this.#cookies = cookies
    this.#plain = {
      'user-agent': options.userAgent,
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
    }
    this.#full = { ...this.#plain, ...lowerCased(options.headers) }
    this.#headerOrigins = new Set(options.headerOrigins)
    this.#authorizations = new Map(Object.entries(options.authorizations))
  }

  for(url: string): Headers {
    const origin = originOf(url)
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
}

function lowerCased(headers: Headers): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v]))
}
