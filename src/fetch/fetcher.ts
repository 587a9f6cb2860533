import type { ContentVersion } from '../records/content-version.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import type { ContentType } from './content-type.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** By name in lower case; a list where a header came several times. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * Fetches URLs. `openFetcher` opens one, and puts around every implementation what none may forget:
 * refused ports and addresses, the headers of requests, and cookies.
 *
 * - A call makes one request, for this URL alone, and follows no redirect: robots.txt, the scope and
 *   politeness are up to the frontier, which decides on each URL before it is requested.
 * - It resolves with any final response, whatever its status, and rejects with a FetchFailure otherwise.
 * - It takes no longer than the time-out. After failed attempts, a body that has begun may take a few times as long.
 * - It reads no more of a body than the request allows.
 * - It connects to no address that the address guard refuses.
 * - It reports the bytes that it receives to the limits of the crawl, and pauses reading when they are used up.
 *
 * test/fetch/fetcher-contract.ts holds implementations to this.
 */
export interface Fetcher {
  /**
   * Returns the response, even if its body breaks off: then `failure` says why.
   * @throws FetchFailure
   */
  get(request: GetRequest): Promise<FetchResponse>
  /**
   * Returns the response without a body.
   * @throws FetchFailure
   */
  head(request: HeadRequest): Promise<FetchResponse>
  /** Closes all connections; requests under way fail. */
  close(): Promise<void>
}

export interface HeadRequest {
  /** Canonical. */
  readonly url: string
  /** Called when `--rate` or `--bandwidth` lets the request be sent; not called without them. */
  onSend?(): void
}

export interface GetRequest extends HeadRequest {
  /** Bytes of the decoded body to read. */
  readonly maxBody: number
  /** True to keep the body even if it is no HTML page. */
  readonly keepBody?: boolean
  /** Bytes to read and keep of a body whose type may be that of a sitemap; undefined treats it as any other. */
  readonly maxSitemap?: number | undefined
  /** What the URL held at its last visit: a body is sent only if that has changed. */
  readonly before?: ContentVersion | undefined
  /** The origin of the page that requests it, where browsers say so. */
  readonly origin?: string | undefined
  /** Sent by POST, in place of a GET. The crawl itself sends none: only a login does. */
  readonly form?: PostedForm
  /** True if another attempt follows a transient failure, which is then thrown even if a part has come. */
  readonly mayRetry?: boolean
  /** Attempts that have failed before. Each gives the body as much time again: it may be large, or the line slow. */
  readonly failures?: number
}

/** A form that is filled in. */
export interface PostedForm {
  /** Fields as `application/x-www-form-urlencoded`. */
  readonly body: string
  /** Canonical URL of the page that the form is on. */
  readonly from: string
}

/** A response with its content codings undone. */
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
  /** True if the connection or the coding broke off. */
  readonly endsEarly: boolean
  /** Why the connection broke off. */
  readonly failure?: FetchFailure | undefined
  /** SHA-256 of a body that was not kept, in hexadecimal, if digests were asked for. */
  readonly digest?: string | undefined
  /** The first bytes of the decoded body, if they were asked for. */
  readonly start?: Buffer | undefined
  /** The request and the response for an archive, if one was asked for. */
  readonly exchange?: ArchivedExchange | undefined
  /** Frees the memory of the body for others. To be called once the body is read. */
  release(): void
}
