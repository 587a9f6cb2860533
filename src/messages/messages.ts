import type { Change, ContentVersion } from '../records/content-version.ts'
import type { CrawlUrl, SameDepthHop } from '../records/crawl-url.ts'
import type { ErrorCode } from '../records/error-code.ts'
import type { Skip } from '../records/skip.ts'
import type { ArchivedExchange, Attachments } from '../records/visit-attachments.ts'
import type { FetchedFields, FetchedRecord } from '../records/visit-record.ts'
import type { PageEvidence } from '../render/learning/template-memory.ts'
import type { FetchedPage, ResourceReply } from '../render/rendered-page.ts'
import type { RobotsRules } from '../robots/parse.ts'
import type { OlderClaims } from './claim-log.ts'
import type { SkipCounts } from './counters.ts'
import type { RenderResult, Unrendered } from './render-messages.ts'

// ---- sent by the coordinator -------------------------------------------------------------------

export type CoordinatorMessage =
  | { readonly type: 'visit'; readonly crawlUrls: readonly CrawlUrl[] }
  | RobotsRequest
  | ProbeRequest
  | ResourceRequest
  | RenderReply
  /** The URLs of a `SitemapPartRead` are added, so the next part may follow. */
  | { readonly type: 'part-added'; readonly id: number }
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

/** Values of Set-Cookie in the response to `url`, from one worker to all others. */
export interface SetCookies {
  readonly type: 'cookies'
  readonly url: string
  readonly setCookies: readonly string[]
}

// ---- sent by a worker --------------------------------------------------------------------------

/** The result of one attempt to fetch a CrawlUrl. */
export type Outcome = Visited | Failed | Postponed

/** Timing of an attempt, from which the pace of requests to the host is computed. */
export interface Attempt {
  /** Milliseconds from the request to the end of the body, or to the failure. */
  readonly ms: number
  /** Milliseconds to wait before the next request to the host: Retry-After of 429 and 503, up to --max-retry-after. */
  readonly retryAfter?: number
}

/** The URLs that a page leads to. */
export interface LinkedUrls {
  /** URLs that are new to the whole crawl, one link deeper. */
  readonly discovered: readonly string[]
  /** Known URLs, one link deeper, to which this page may be a shorter path. */
  readonly nearer: readonly string[]
  /** URLs at the same depth as the page. */
  readonly sameDepth: readonly SameDepthUrls[]
}

/** The URLs that a page leads to, and the other facts about the page that the frontier needs. */
export interface Findings extends LinkedUrls {
  /** Bytes of the decoded body; undefined if none was read. */
  readonly bytes?: number | undefined
  /** All links, packed by `packLinks`, if the CrawlUrl has `keepLinks`. */
  readonly packedLinks?: string | undefined
  /** Absent if nothing was parsed, or without trap detection. */
  readonly trapSignals?: TrapSignals | undefined
}

/** Facts about a page that trap detection uses. */
export interface TrapSignals {
  /** True if the page has a text or a picture that was not found often on pages of its host, as far as is known. */
  readonly hasNewContent: boolean
  /** Number of distinct links inside the scope. */
  readonly linkCount: number
  /** Evidence on whether the URL is an alias of another page's URL; absent if it can't be one. Files have no hashes. */
  readonly alias?: AliasEvidence
}

/** Evidence that a page is the same as another under an alias of its URL. */
export interface AliasEvidence {
  readonly hashes?: ContentHashes
  /** True if links of the page contain an id of its URL. */
  readonly keepsIds?: true
}

/** Hashes of the text and pictures of a page. */
export interface ContentHashes {
  readonly all: number
  /** The hash of the words alone, without numbers. */
  readonly words: number
}

/** URLs at the same depth as the page, new or not, by the hop that leads to them. */
export interface SameDepthUrls {
  readonly hop: SameDepthHop
  readonly urls: readonly string[]
}

/** The skips of a page that no other page has counted. */
export interface CountedSkips {
  /** URLs that are not fetched, for the file of `--skipped` and the log. */
  readonly skipped: readonly Skip[]
  readonly counts?: SkipCounts | undefined
}

/** The URL was answered. */
export interface Visited extends Attachments, CountedSkips, Findings, Attempt {
  readonly type: 'visited'
  readonly id: number
  readonly fields: FetchedRecord
  readonly status: number
  /** Bytes of the decoded body; undefined if none was read. */
  readonly bytes: number | undefined
  /** The version of the content, if it is stored for comparison and the response contains it. */
  readonly content?: ContentVersion
  readonly change?: Change
  /** The fingerprint of a page's content, with `--content-dedup`. */
  readonly fingerprint?: string
  /** Code of the error, if the response is unusable. */
  readonly error?: ErrorCode
  /** The target of a redirect at depth 0 that leaves the scope. The main thread decides whether it joins the scope. */
  readonly leaves?: string
  /** True if the seed is a sitemap that was not followed, without `--sitemaps`. */
  readonly isUnreadSitemap?: boolean
  /** One of the URLs of the sitemap, if all of them are outside the scope. */
  readonly foreignExample?: string
  /** The number of links inside the scope; absent if nothing was parsed for links. */
  readonly linkCount?: number | undefined
  /** URLs inside the scope that only a browser showed, if the page was rendered. */
  readonly renderedUrls?: readonly string[]
  /** Why the page was not rendered, with `--render auto`. */
  readonly unrendered?: Unrendered
}

/** There was no response, and no further attempt follows. */
export interface Failed extends Partial<Attempt> {
  readonly type: 'failed'
  readonly id: number
  /** The fields of the record. */
  readonly fields: FetchedFields
  readonly error: ErrorCode
  readonly message: string
}

/** Another request for the URL follows. */
export interface Postponed extends Attempt {
  readonly type: 'postponed'
  readonly id: number
  /** Status of the response; undefined if there was none. */
  readonly status?: number
  /** Code of the failure, if there was no response or it was incomplete. */
  readonly error?: ErrorCode
  /** True if the next request is no retry: GET after HEAD, or the same URL with a cookie that it has set. */
  readonly isPreliminary?: true
}

/** The result of a probe: the status of the response, or the code of the failure. */
export interface ProbeReply {
  readonly status?: number
  readonly error?: ErrorCode
  readonly retryAfter?: number
}

/** The rules of an origin's robots.txt, or one answer for all of its URLs. */
export type RobotsAnswer =
  | { readonly access: 'rules'; readonly rules: RobotsRules }
  | { readonly access: 'allow-all' }
  | RobotsFailure

/** robots.txt could not be fetched. */
export interface RobotsFailure {
  readonly access: 'disallow-all'
  readonly reason: string
  /** True if another request may succeed. */
  readonly isTransient: boolean
  /** Set if the origin's address is refused: its pages fail with this error, too. */
  readonly error?: 'private-address'
  /** Milliseconds to wait before the next request to the host, as in `Attempt`. */
  readonly retryAfter?: number
  /** True if the host requested a longer pause than --max-retry-after. */
  readonly isExcessive?: boolean
}

/** The result of a request for robots.txt. */
export type RobotsReply = RobotsAnswer | { readonly access: 'moved'; readonly to: string }

/** The reply of an origin to a request for robots.txt. */
export interface RobotsFetched {
  readonly type: 'robots'
  readonly origin: string
  readonly reply: RobotsReply
  /** The request and the response for the archive, if there is one. */
  readonly exchange?: ArchivedExchange
}

/** Claims from a worker's full log. The main thread keeps them until their pages are reported. */
interface ClaimsHandedOver extends OlderClaims {
  readonly type: 'claims'
}

/** Some of the URLs of a long sitemap. The others follow in further parts, and in the outcome. */
export interface SitemapPartRead extends CountedSkips {
  readonly type: 'sitemap-part'
  /** Id of the URL of the sitemap. */
  readonly id: number
  readonly sameDepth: readonly SameDepthUrls[]
}

/** Has a page rendered. Its host is released meanwhile, since the page makes requests of its own. */
export interface RenderRequest {
  readonly type: 'render'
  /** Id of its URL. */
  readonly id: number
  readonly attempt: Attempt
  readonly page: FetchedPage
  /** The evidence for the decision whether to render the page, with `--render auto`. */
  readonly evidence?: PageEvidence
}

/** The response to a request of a rendered page. */
export interface ResourceFetched {
  readonly type: 'resource'
  readonly id: number
  readonly reply: ResourceReply
  readonly attempt: Attempt
  /** True if another attempt may succeed. */
  readonly isTransient?: boolean
  /** The request and the response for the archive, if there is one. */
  readonly exchange?: ArchivedExchange
}

/**
 * Several outcomes in one message. Ordinary ones form one text, which contains their records as they will be written:
 * cloning them as objects would cost several times as much on both threads.
 */
export interface OutcomesMessage {
  readonly type: 'outcomes'
  /** The ordinary outcomes, as messages/outcome-text.ts writes them. */
  readonly text: string
  /** The packed links of ordinary outcomes, one after another. */
  readonly links: string
  readonly others: readonly Outcome[]
}

export type WorkerMessage =
  /** The worker begins to import the module of hooks. */
  | { readonly type: 'importing' }
  | { readonly type: 'ready'; readonly heapLimit: number }
  | SetCookies
  | ClaimsHandedOver
  | SitemapPartRead
  | RenderRequest
  | ResourceFetched
  | OutcomesMessage
  /** The URL was not requested: it was recalled, the crawl stopped, or its host requested a pause. */
  | { readonly type: 'unsent'; readonly id: number }
  | RobotsFetched
  | { readonly type: 'probe'; readonly host: string; readonly reply: ProbeReply }
