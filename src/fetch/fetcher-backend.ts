import type { ArchivedExchange } from '../records/visit-attachments.ts'
import type { BodySlots } from '../runtime/shared-body-memory.ts'
import type { RequestLimits } from '../throttle/request-limits.ts'
import type { AddressGuard } from './addresses/address-guard.ts'
import type { TlsCertificates } from './certificates.ts'
import type { FetchResponse, GetRequest, HeadRequest, ResponseHeaders } from './fetcher.ts'
import type { ProxyRules } from './proxy-rules.ts'
import type { RawResponse } from './raw-response.ts'

/** Everything about a request that is decided before an implementation sends it. */
export interface Prepared {
  /** All headers but those of the connection. */
  readonly headers: Readonly<Record<string, string>>
  /** To be called with the headers of the response, before its body is decoded. */
  readonly onHeaders: (headers: ResponseHeaders) => void
}

/** One way to fetch URLs. Its contract is that of `Fetcher`. */
export interface FetcherBackend {
  get(request: GetRequest, prepared: Prepared): Promise<FetchResponse>
  head(request: HeadRequest, prepared: Prepared): Promise<FetchResponse>
  close(): Promise<void>
}

/** Returns a request and its response as the records of an archive. */
type Archive = (
  url: string,
  headers: Readonly<Record<string, string>>,
  response: RawResponse,
) => ArchivedExchange

export interface BackendOptions {
  /** Checks each address before a connection, and where it arrived. */
  readonly guard: AddressGuard
  /** Connections to an origin, or to a proxy that is asked for whole URLs. */
  readonly concurrency: number
  /** Connections in all, so that files can be opened beside them. */
  readonly maxSockets?: number | undefined
  /** Idle connections over all servers: by default, 160 more than `concurrency`. */
  readonly maxIdle?: number | undefined
  /** Milliseconds for a request, from start to end. */
  readonly timeout: number
  /** Milliseconds to look a name up, connect, and negotiate TLS. */
  readonly connectTimeout: number
  /** True if certificates are accepted unchecked. */
  readonly insecure: boolean
  /** True to use HTTP/1.1 only. */
  readonly http1?: boolean | undefined
  /** Certificates beside those of the system. */
  readonly certificates?: TlsCertificates | undefined
  /** The origins that may see the client's certificate, and the headers of the user. */
  readonly headerOrigins: readonly string[]
  /** The proxies that sites are reached through. */
  readonly proxies?: ProxyRules | undefined
  /** Bytes a second that a body has to come with, over `minRateTime` milliseconds. */
  readonly minRate?: number | undefined
  readonly minRateTime?: number
  /** Memory for large bodies that have come, by the size of the largest; without it they are on the heap. */
  readonly bodySlots: readonly BodySlots[]
  /** True if all bodies are kept. */
  readonly keepsBodies?: boolean
  /** True if style sheets are kept. */
  readonly keepsStyleSheets?: boolean
  /** True if nobody uses a body after its release: then others may lie in its memory. */
  readonly reusesBodies?: boolean
  /** True if bodies that are not kept are digested. */
  readonly digests?: boolean
  /** True if the first bytes of bodies are kept. */
  readonly keepsStarts?: boolean
  /** Limits of the whole crawl; undefined without `--rate` and `--bandwidth`. */
  readonly limits?: RequestLimits | undefined
  /** Makes archive records of each response, before its body is decoded; then all bodies are kept. */
  readonly archive?: Archive | undefined
}
