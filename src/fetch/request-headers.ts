import { originOf } from '../url/origin.ts'
import type { Fetcher, GetRequest, HeadRequest, PostedForm } from './fetcher.ts'
import type { FetcherBackend, Prepared } from './fetcher-backend.ts'
import { conditionsFor } from './validators.ts'

export interface RequestHeaderOptions {
  readonly userAgent: string
  /** Headers of the user, for `headerOrigins` only. */
  readonly headers: HeaderValues
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin. */
  readonly authorizations: HeaderValues
}

/** Where cookies are kept. */
export interface CookieStore {
  /** Returns the value of Cookie; undefined when there is none. */
  headerFor(url: string): string | undefined
  /** Takes values of Set-Cookie. */
  take(url: string, setCookies: readonly string[]): void
}

type HeaderValues = Readonly<Record<string, string>>

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
/** The content codings that every implementation decodes (RFC 9110, 12.5.3). */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Returns a fetcher that gives each request its headers, and keeps the cookies of each response. */
export function withRequestHeaders(
  backend: FetcherBackend,
  options: RequestHeaderOptions,
  cookies: CookieStore | undefined,
): Fetcher {
  const own = new RequestHeaders(options, cookies)
  const prepare = <R extends HeadRequest>(request: R, conditions?: HeaderValues): R & Prepared => ({
    ...request,
    headers: { ...own.for(request.url), ...conditions },
    onHeaders({ 'set-cookie': values }) {
      if (values !== undefined) cookies?.take(request.url, [values].flat())
    },
  })
  return {
    get: (request: GetRequest) =>
      backend.get(
        prepare(request, {
          ...conditionsFor(request.before ?? {}),
          ...(request.origin !== undefined && { origin: request.origin }),
          ...(request.form !== undefined && formHeaders(request.form)),
        }),
      ),
    head: (request) => backend.head(prepare(request)),
    close: () => backend.close(),
  }
}

/** The headers of requests: some are for some origins only. */
class RequestHeaders {
  readonly #cookies: CookieStore | undefined
  readonly #plain: HeaderValues
  readonly #full: HeaderValues
  readonly #headerOrigins: ReadonlySet<string>
  readonly #authorizations: ReadonlyMap<string, string>

  constructor(options: RequestHeaderOptions, cookies: CookieStore | undefined) {
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

  for(url: string): HeaderValues {
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

/** Returns the headers by which sites tell their own forms from forged ones, as browsers send them. */
function formHeaders({ from }: PostedForm): HeaderValues {
  const type = 'application/x-www-form-urlencoded'
  return { 'content-type': type, origin: originOf(from), referer: from }
}

function lowerCased(headers: HeaderValues): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v]))
}
