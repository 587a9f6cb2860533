import type { CrawlUrl } from '../records/crawl-url.ts'
import type { SetCookies } from './from-worker.ts'
import type { RenderResult } from './render-messages.ts'

/** A message from the main thread to a worker. */
export type CoordinatorMessage =
  /** Has the worker visit URLs. Each gets an outcome, or is returned as `unsent`. */
  | { readonly type: 'visit'; readonly crawlUrls: readonly CrawlUrl[] }
  | RobotsRequest
  | ProbeRequest
  | ResourceRequest
  | RenderReply
  /** The URLs of a `SitemapPartRead` are added, so the next part may follow. */
  | { readonly type: 'part-added'; readonly id: number }
  /** Adds the host of a URL to the scope. */
  | { readonly type: 'widen'; readonly url: string }
  /** Has the worker skip links to the pages of the login form (`--login`). */
  | { readonly type: 'login-pages'; readonly urls: readonly string[] }
  | SetCookies
  /** Has the worker return the URLs that it has not requested yet: those of one host, or all. */
  | { readonly type: 'recall'; readonly host: string | undefined }
  /** Has the worker drop the requests that wait for their turn, for `--rate` or for `--bandwidth`. */
  | { readonly type: 'stop' }
  /** Has the worker raise its `Pulse`, which shows that it handles messages. */
  | { readonly type: 'ping' }
  /** No further message follows. */
  | { readonly type: 'end' }

/** Requests the robots.txt of an origin, or the URL that it redirects to. */
export interface RobotsRequest {
  readonly type: 'robots'
  readonly origin: string
  readonly url: string
}

/** Finds out whether a host answers, by requesting a URL that the host has answered before. */
export interface ProbeRequest {
  readonly type: 'probe'
  readonly host: string
  readonly url: string
  readonly method: 'HEAD' | 'GET'
}

/** Fetches a resource that a rendered page loads. */
export interface ResourceRequest {
  readonly type: 'resource'
  readonly id: number
  readonly url: string
  /** The headers of the browser's request that are passed on. */
  readonly headers?: Readonly<Record<string, string>>
  /** True for a request without the cookies and secrets of the crawl. */
  readonly isCrossSite?: boolean
}

/** The reply to a `RenderRequest`. */
export interface RenderReply {
  readonly type: 'rendered'
  readonly id: number
  readonly result: RenderResult
}
