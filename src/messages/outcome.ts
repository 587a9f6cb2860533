import type { Change, ContentVersion } from '../records/content-version.ts'
import type { SameDepthHop } from '../records/crawl-url.ts'
import type { ErrorCode } from '../records/error-code.ts'
import type { Skip } from '../records/skip.ts'
import type { Attachments } from '../records/visit-attachments.ts'
import type { FetchedFields, FetchedRecord } from '../records/visit-record.ts'
import type { SkipCounts } from './counters.ts'
import type { Unrendered } from './render-messages.ts'

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
  /** True if the page has a text or media that was not found often on pages of its host, as far as is known. */
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

/** Hashes of the text and the media of a page. */
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
  /** True if the server sent no response in time. */
  readonly timedOut?: true
  /** True if the next request is no retry: GET after HEAD, or the same URL with a cookie that it has set. */
  readonly isPreliminary?: true
}
