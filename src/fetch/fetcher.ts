import type { ContentVersion } from '../records/content-version.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import type { ContentType } from './content-type.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** Values of headers by name in lower case; a list if a header was sent several times. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * Fetches URLs. `openFetcher` opens an implementation and adds the features that all of them need: it refuses bad
 * ports and addresses, sets the headers of requests, and keeps cookies.
 *
 * - A call makes one request, for this URL only, and follows no redirects. It makes a second one only to answer a
 *   challenge of HTTP Digest authentication. The frontier applies robots.txt, the scope and politeness to each URL
 *   before it is requested.
 * - It resolves with any final response, whatever its status, and rejects with a FetchFailure otherwise.
 * - It takes at most the time limit. After failed attempts, a body that has begun may take a few times as long.
 * - It reads at most as much of a body as the request allows.
 * - It connects to no address that the address guard refuses.
 * - It counts received bytes against the bandwidth of the crawl, and pauses reading when that is used up.
 *
 * test/fetch/fetcher-contract.ts tests implementations against this contract.
 */
export interface Fetcher {
  /**
   * Returns the response, even if its body breaks off; `failure` has the reason then.
   * @throws FetchFailure
   */
  get(request: GetRequest): Promise<FetchResponse>
  /**
   * Returns the response without a body.
   * @throws FetchFailure
   */
  head(request: FetchRequest): Promise<FetchResponse>
  /** Closes all connections. Requests in flight fail. */
  close(): Promise<void>
}

export interface FetchRequest {
  /** The canonical URL. */
  readonly url: string
  /** The value of Authorization, in place of the configured one. */
  readonly authorization?: string | undefined
  /** Called when `--rate` and `--bandwidth` allow the request; never called without these limits. */
  onSend?(): void
}

/** Returns a copy of a request with changes. A request may be an instance of a class, so its methods are not copied. */
export function withChanges<R extends FetchRequest>(request: R, changes: Partial<FetchRequest>): R {
  return { ...request, ...changes, onSend: () => request.onSend?.() }
}

export interface GetRequest extends FetchRequest {
  /** Maximum bytes of the decoded body to read. */
  readonly maxBody: number
  /** True to keep the body even if it isn't an HTML page. */
  readonly keepBody?: boolean
  /** Maximum bytes to read and keep of a body that may be a sitemap, by its type; undefined treats it as any other. */
  readonly maxSitemap?: number | undefined
  /** The content of the URL at its last visit. The request is conditional: a body is sent only if it has changed. */
  readonly before?: ContentVersion | undefined
  /** The headers that a browser sends with this request, of those that depend on the page that makes it. */
  readonly pageHeaders?: Readonly<Record<string, string>> | undefined
  /** True for a request of a page to another site. It carries no secrets, and cookies of its response are ignored. */
  readonly isCrossSite?: boolean | undefined
  /** A form to send with POST instead of a GET request. Only logins use it. */
  readonly form?: PostedForm
  /** True if a transient failure will be retried. Then it is thrown even if a part of the body was received. */
  readonly mayRetry?: boolean
  /** Number of failed attempts. Each adds the time limit once more for the body, which may be large or slow. */
  readonly failures?: number
}

/** A form that was filled in. */
export interface PostedForm {
  /** The fields as `application/x-www-form-urlencoded`. */
  readonly body: string
  /** Canonical URL of the page that contains the form. */
  readonly from: string
}

/** A response whose body is decoded. */
export interface FetchResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly contentType?: ContentType | undefined
  /** The decoded body of an HTML page, or of a response whose body the request keeps. */
  readonly body?: Buffer | undefined
  /** Bytes of the decoded body. */
  readonly bytes: number
  /** True if the body is incomplete: longer than the request allows, or broken off. */
  readonly truncated: boolean
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number
  /** True if the connection or the coded data ended too early. */
  readonly endsEarly: boolean
  /** The reason why the connection broke off. */
  readonly failure?: FetchFailure | undefined
  /** SHA-256 of a body that was not kept, in hexadecimal, if digests were requested. */
  readonly digest?: string | undefined
  /** The first bytes of the decoded body, if they were requested. */
  readonly start?: Buffer | undefined
  /** The archive records of the request and the response, if they were requested. */
  readonly exchange?: ArchivedExchange | undefined
  /** Frees the memory of the body for other bodies. The caller must have processed the body before. */
  release(): void
}
