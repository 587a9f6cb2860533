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
  | { readonly type: 'widen'; readonly url: string }
  /** Has the worker leave out links to the pages of the form of `--login`. */
  | { readonly type: 'login-pages'; readonly urls: readonly string[] }
  | SetCookies
  /** Has the worker return the URLs that it has not requested yet: of one host, or all. */
  | { readonly type: 'recall'; readonly host: string | undefined }
  /** Has the worker send no request that waits for its turn, or for `--rate` or `--bandwidth`. */
  | { readonly type: 'stop' }
  /** Has the worker show that it takes in messages. */
  | { readonly type: 'ping' }
  /** No further message follows. */
  | { readonly type: 'end' }

/** Requests the robots.txt of an origin, or the URL that it redirects to. */
export interface RobotsRequest {
  readonly type: 'robots'
  readonly origin: string
  readonly url: string
}

/** Finds out whether a host answers, by a URL that it has answered before. */
export interface ProbeRequest {
  readonly type: 'probe'
  readonly host: string
  readonly url: string
  readonly method: 'HEAD' | 'GET'
}

/** Fetches what a rendered page loads. */
export interface ResourceRequest {
  readonly type: 'resource'
  readonly id: number
  readonly url: string
  /** Value of the header Origin; undefined where browsers send none. */
  readonly origin?: string | undefined
}

/** The page of a `RenderRequest`, as a browser shows it. */
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

/** What an attempt shows about its host. */
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

/** The URLs that a page leads to, and what else the frontier needs. */
export interface Findings extends LinkedUrls {
  /** Bytes of the decoded body. */
  readonly bytes?: number
  /** All links, packed by `packLinks`, if the CrawlUrl has `keepLinks`. */
  readonly packedLinks?: Uint8Array
  /** Absent if nothing was parsed, or without trap detection. */
  readonly trapSignals?: TrapSignals | undefined
}

/** What trap detection learns from a page. */
export interface TrapSignals {
  /** True if it shows a text or a picture that its host has not shown often before, as far as is known. */
  readonly hasNewContent: boolean
  /** The number of its links inside the scope, each once. */
  readonly linkCount: number
  /**
   * Evidence whether its URL is an alias of another page's; absent if it can't be one. That of a file has no hashes.
   */
  readonly alias?: AliasEvidence
}

/** Evidence that a page is the same as another under an alias of its URL. */
export interface AliasEvidence {
  readonly hashes?: ContentHashes
  /** True if links of the page hold an id of its URL. */
  readonly keepsIds?: true
}

/** Hashes of the text and pictures of a page. */
export interface ContentHashes {
  readonly all: number
  /** The hash of its words alone, without numbers. */
  readonly words: number
}

/** URLs at the same depth as the page, new or not, by the hop that leads to them. */
export interface SameDepthUrls {
  readonly hop: SameDepthHop
  readonly urls: readonly string[]
}

/** There was a response. */
export interface Visited extends Attachments, Findings, Attempt {
  readonly type: 'visited'
  readonly id: number
  readonly fields: FetchedRecord
  readonly status: number
  /** Bytes of the decoded body. */
  readonly bytes: number
  /** The content of the URL, if it is kept for comparison and the response shows it. */
  readonly content?: ContentVersion
  readonly change?: Change
  /** The fingerprint of a page's content, with `--content-dedup`. */
  readonly fingerprint?: string
  /** Code of the error, if the response is of no use. */
  readonly error?: ErrorCode
  /** The target of a seed's redirect that leaves the scope. */
  readonly leaves?: string
  /** True if the seed is a sitemap that was not followed, without `--sitemaps`. */
  readonly isUnreadSitemap?: boolean
  /** One of the URLs of a sitemap that lists only URLs outside the scope. */
  readonly foreignExample?: string
  /** The number of links inside the scope; absent if nothing was parsed for links. */
  readonly linkCount?: number | undefined
  /** URLs inside the scope that only a browser showed, if the page was rendered. */
  readonly renderedUrls?: readonly string[]
  /** Why the page was not rendered, with `--render auto`. */
  readonly unrendered?: Unrendered
  /** URLs that the page names and that are not fetched, for the file of `--skipped` and the log. */
  readonly skipped: readonly Skip[]
  /** Skips of the page that no other page has counted. */
  readonly counts?: SkipCounts | undefined
}

/** There was no response, and no other attempt follows. */
export interface Failed extends Partial<Attempt> {
  readonly type: 'failed'
  readonly id: number
  /** The fields of its record. */
  readonly fields: FetchedFields
  readonly error: ErrorCode
  readonly message: string
}

/** Another attempt follows. */
export interface Postponed extends Attempt {
  readonly type: 'postponed'
  readonly id: number
  /** Status of the response; undefined when there was none. */
  readonly status?: number
  /** Code of the failure, when there was no answer, or it broke off. */
  readonly error?: ErrorCode
}

/** The result of a probe. */
export interface ProbeReply {
  /** Status of the response; undefined when there was none. */
  readonly status?: number
  /** Code of the failure, when there was no answer. */
  readonly error?: ErrorCode
  readonly retryAfter?: number
}

/** What the robots.txt of an origin allows: rules, or one answer for all of its URLs. */
export type RobotsAnswer =
  | { readonly access: 'rules'; readonly rules: RobotsRules }
  | { readonly access: 'allow-all' }
  | RobotsFailure

/** robots.txt could not be fetched. */
export interface RobotsFailure {
  readonly access: 'disallow-all'
  readonly reason: string
  /** True if another request may succeed. */
  readonly passing: boolean
  /** The error of the pages, too, which would not be requested either. */
  readonly error?: 'private-address'
  /** Like that of an attempt. */
  readonly retryAfter?: number
  /** True if the host asked for a longer pause. */
  readonly isExcessive?: boolean
}

/** The result of a request for robots.txt. */
export type RobotsReply = RobotsAnswer | { readonly access: 'moved'; readonly to: string }

/** Claims that a worker's log has no room for: to be kept until their pages are reported. */
interface ClaimsHandedOver extends OlderClaims {
  readonly type: 'claims'
}

/** Has a page shown in a browser. Its host is free meanwhile: the page makes requests of its own. */
export interface RenderRequest {
  readonly type: 'render'
  /** Id of its URL. */
  readonly id: number
  readonly attempt: Attempt
  readonly page: FetchedPage
  /** The evidence for the decision whether to render the page, with `--render auto`. */
  readonly evidence?: PageEvidence
}

/** The response to a request of a page, and what it shows about the host. */
export interface ResourceFetched {
  readonly type: 'resource'
  readonly id: number
  readonly reply: ResourceReply
  readonly attempt: Attempt
  /** The request and the response for an archive, if one was asked for. */
  readonly exchange?: ArchivedExchange
}

/**
 * Outcomes in one message. Ordinary ones are one text, with their records as they will be written: to clone their
 * objects costs several times as much on both threads.
 */
export interface OutcomesMessage {
  readonly type: 'outcomes'
  /** The ordinary outcomes, as messages/outcome-text.ts writes them. */
  readonly text: string
  readonly others: readonly Outcome[]
}

export type WorkerMessage =
  /** The module of hooks is imported now. */
  | { readonly type: 'importing' }
  | { readonly type: 'ready'; readonly heapLimit: number }
  | SetCookies
  | ClaimsHandedOver
  | RenderRequest
  | ResourceFetched
  | OutcomesMessage
  /** The URL was recalled, or the crawl stopped, before it was requested. */
  | { readonly type: 'unsent'; readonly id: number }
  | { readonly type: 'robots'; readonly origin: string; readonly reply: RobotsReply }
  | { readonly type: 'probe'; readonly host: string; readonly reply: ProbeReply }
