import { originOf } from '../url/origin.ts'
import type { Fetcher, GetRequest, PostedForm } from './fetcher.ts'
import type { FetcherBackend, PreparedRequest } from './fetcher-backend.ts'
import { RequestSigner, type SigningIdentity } from './request-signer.ts'
import { conditionsFor } from './validators.ts'

export interface RequestHeaderOptions {
  readonly userAgent: string
  /** The user's headers, for `headerOrigins` only. */
  readonly headers: HeaderValues
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin. */
  readonly authorizations: HeaderValues
  /** The identity that signs each request; undefined if requests aren't signed. */
  readonly signing?: SigningIdentity | undefined
}

export interface CookieStore {
  /** Returns the value of the Cookie header; undefined if there are no cookies for the URL. */
  headerFor(url: string): string | undefined
  /** Stores the cookies of Set-Cookie headers. */
  store(url: string, setCookies: readonly string[]): void
}

type HeaderValues = Readonly<Record<string, string>>

type FurtherRequest = Pick<GetRequest, 'authorization' | 'before' | 'form' | 'pageHeaders'>

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
/** The content codings that every implementation decodes (RFC 9110, 12.5.3). */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Returns a fetcher that sets the headers of each request, and keeps the cookies of each response. */
export function withRequestHeaders(
  backend: FetcherBackend,
  options: RequestHeaderOptions,
  cookies: CookieStore | undefined,
): Fetcher {
  const own = new RequestHeaders(options, cookies)
  const signer = options.signing && new RequestSigner(options.signing)
  const prepare = (url: string, further?: HeaderValues, isCrossSite = false): PreparedRequest => {
    const headers = isCrossSite ? own.plain : own.for(url)
    const isComplete = further === undefined && signer === undefined
    return {
      headers: isComplete ? headers : { ...headers, ...further, ...signer?.headersFor(url) },
      onHeaders: cookies === undefined || isCrossSite ? keepNothing : keepCookies(url, cookies),
    }
  }
  return {
    get: (request) =>
      backend.get(request, prepare(request.url, furtherHeaders(request), request.isCrossSite)),
    head: (request) => backend.head(request, prepare(request.url, furtherHeaders(request))),
    close: () => backend.close(),
  }
}

function keepNothing(): void {}

function keepCookies(url: string, cookies: CookieStore): PreparedRequest['onHeaders'] {
  return ({ 'set-cookie': values }) => {
    if (values !== undefined) cookies.store(url, [values].flat())
  }
}

/** Returns the headers that depend on the request, not only on its URL. */
function furtherHeaders(request: FurtherRequest): HeaderValues | undefined {
  const { authorization, before, form, pageHeaders } = request
  const isPlain = before === undefined && form === undefined && pageHeaders === undefined
  if (isPlain && authorization === undefined) return undefined
  return {
    ...conditionsFor(before ?? {}),
    ...pageHeaders,
    ...(authorization !== undefined && { authorization }),
    ...(form !== undefined && formHeaders(form)),
  }
}

/** Computes the headers of requests from their URLs: some headers are for certain origins only. */
class RequestHeaders {
  /** The headers of requests without cookies and secrets. */
  readonly plain: HeaderValues
  readonly #cookies: CookieStore | undefined
  readonly #full: HeaderValues
  readonly #headerOrigins: ReadonlySet<string>
  readonly #authorizations: ReadonlyMap<string, string>
  /** True if all requests have the same headers. */
  readonly #isUniform: boolean

  constructor(options: RequestHeaderOptions, cookies: CookieStore | undefined) {
    const { headers, authorizations } = options
    this.#cookies = cookies
    this.plain = {
      'user-agent': options.userAgent,
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
    }
    this.#full = { ...this.plain, ...lowerCased(headers) }
    this.#headerOrigins = new Set(options.headerOrigins)
    this.#authorizations = new Map(Object.entries(authorizations))
    const isPlain = Object.keys(headers).length === 0 && this.#authorizations.size === 0
    this.#isUniform = isPlain && cookies === undefined
  }

  for(url: string): HeaderValues {
    if (this.#isUniform) return this.plain
    const origin = originOf(url)
    const headers = this.#headerOrigins.has(origin) ? this.#full : this.plain
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

/** Returns the headers that browsers send with a form. Sites check them to detect forged requests. */
function formHeaders({ from }: PostedForm): HeaderValues {
  const type = 'application/x-www-form-urlencoded'
  return { 'content-type': type, origin: originOf(from), referer: from }
}

function lowerCased(headers: HeaderValues): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v]))
}
