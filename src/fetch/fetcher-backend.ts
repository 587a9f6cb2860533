import type { ArchivedExchange } from '../records/visit-attachments.ts'
import type { BodySlots } from '../runtime/shared-body-memory.ts'
import type { RequestLimits } from '../throttle/request-limits.ts'
import type { AddressGuard } from './addresses/address-guard.ts'
import type { TlsCertificates } from './certificates.ts'
import type { FetchRequest, FetchResponse, GetRequest, ResponseHeaders } from './fetcher.ts'
import type { ProxyRules } from './proxy-rules.ts'
import type { RawResponse } from './raw-response.ts'
import type { SiteFolder } from './site-folder.ts'

/** The parts of a request that are decided before an implementation sends it. */
export interface PreparedRequest {
  /** All headers except those of the connection. */
  readonly headers: Readonly<Record<string, string>>
  /** The implementation calls this with the headers of the response, before it decodes the body. */
  readonly onHeaders: (headers: ResponseHeaders) => void
}

/** One way to fetch URLs. It has the same contract as `Fetcher`. */
export interface FetcherBackend {
  get(request: GetRequest, prepared: PreparedRequest): Promise<FetchResponse>
  head(request: FetchRequest, prepared: PreparedRequest): Promise<FetchResponse>
  close(): Promise<void>
}

/**
 * Returns the archive records of a request and its response.
 * @param server the IP address of the server; undefined if a proxy was used
 */
type Archive = (
  url: string,
  headers: Readonly<Record<string, string>>,
  response: RawResponse,
  server: string | undefined,
) => ArchivedExchange

export interface BackendOptions {
  /** Checks the addresses of a host before a connection is opened, and the address that the socket reached. */
  readonly guard: AddressGuard
  /** Maximum connections to an origin, or to a proxy that gets requests for whole URLs. */
  readonly concurrency: number
  /** Maximum connections in total, so that enough file descriptors are left for files. */
  readonly maxSockets?: number | undefined
  /** Connections to keep alive beyond `concurrency`, to all servers together; 160 by default. */
  readonly maxIdle?: number | undefined
  /** Time limit of a request in milliseconds, from its start to the end of the body. */
  readonly timeout: number
  /** Time limit in milliseconds to look a name up, connect, and negotiate TLS. */
  readonly connectTimeout: number
  /** A folder that takes the place of a site. */
  readonly siteFolder?: SiteFolder | undefined
  /** True to accept any certificate. */
  readonly insecure: boolean
  /** True to use HTTP/1.1 only. */
  readonly http1?: boolean | undefined
  /** Certificates in addition to those of the system. */
  readonly certificates?: TlsCertificates | undefined
  /** The origins that may get the client's certificate and the user's headers. */
  readonly headerOrigins: readonly string[]
  /** The proxies that sites are reached through. */
  readonly proxies?: ProxyRules | undefined
  /** Minimum speed of a body in bytes per second, measured over `minRateTime` milliseconds. */
  readonly minRate?: number | undefined
  readonly minRateTime?: number
  /** Shared memory for received large bodies, smallest slots first. A body that no slot fits is kept on the heap. */
  readonly bodySlots: readonly BodySlots[]
  /** Returns whether to keep the body of a URL for its type, be it a page or not. */
  readonly keepsBody?: ((url: string, type: string) => boolean) | undefined
  /** True to keep style sheets, scripts and manifests, which load further files. */
  readonly keepsLoadingFiles?: boolean
  /** True if the memory of a released body may be reused. No caller may use a body after its release then. */
  readonly reusesBodies?: boolean
  /** True to compute digests of bodies that are not kept. */
  readonly digests?: boolean
  /** True to keep the first bytes of bodies. */
  readonly keepsStarts?: boolean
  /** The limits of the whole crawl; undefined without `--rate` and `--bandwidth`. */
  readonly limits?: RequestLimits | undefined
  /** Makes archive records of each response before its body is decoded. If given, all bodies are kept. */
  readonly archive?: Archive | undefined
}
