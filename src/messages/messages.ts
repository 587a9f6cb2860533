import type { Change, Content } from '../records/content.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Attachments } from '../records/delivery.ts'
import type { ErrorCode } from '../records/error-code.ts'
import type { Skip } from '../records/skip.ts'
import type { FetchedFields } from '../records/visit-record.ts'
import type { RobotsRules } from '../robots/parse.ts'
import type { OlderClaims } from './claim-log.ts'
import type { SkipCounts } from './counters.ts'

// ---- sent by the coordinator -------------------------------------------------------------------

export type CoordinatorMessage =
  | { readonly type: 'visit'; readonly crawlUrls: readonly CrawlUrl[] }
  | RobotsRequest
  | ProbeRequest
  | { readonly type: 'widen'; readonly url: string }
  | SetCookies
  /** Nothing more will come. */
  | { readonly type: 'end' }

/** A request for the robots.txt of an origin: at its usual place, or where that redirects to. */
export interface RobotsRequest {
  readonly type: 'robots'
  readonly origin: string
  readonly url: string
}

/** A request that finds out whether a host is there: for a URL that it answered before. */
export interface ProbeRequest {
  readonly type: 'probe'
  readonly host: string
  readonly url: string
  readonly method: 'HEAD' | 'GET'
}

/** Values of Set-Cookie that came with `url`: from one worker to all others. */
export interface SetCookies {
  readonly type: 'cookies'
  readonly url: string
  readonly setCookies: readonly string[]
}

// ---- sent by a worker --------------------------------------------------------------------------

/** What became of one CrawlUrl. */
export type Outcome = Visited | Failed | Postponed

/** What an attempt tells of its host. */
export interface Attempt {
  /** Milliseconds from the request to the end of the body, or to the failure. */
  readonly ms: number
  /** Milliseconds that the host is to be left alone for: Retry-After of 429 and 503, up to --max-retry-after. */
  readonly retryAfter?: number
}

/** What an answer leads to, inside the scope. */
export interface NewUrls {
  /** URLs that are new to the whole crawl, one link deeper. */
  readonly discovered: readonly string[]
  /** URLs named before, one link deeper, for which this page may be on a shorter path. */
  readonly nearer: readonly string[]
  /** What stands at the same depth. */
  readonly sameDepth: readonly SameDepthUrls[]
}

/** The same, and what the frontier asks for besides. */
export interface Findings extends NewUrls {
  /** When asked for by `keepLinks`: all links, by `packLinks`. */
  readonly links?: Uint8Array
  /** For the recognition of traps; absent where nothing was read, or nobody asks. */
  readonly trapSignals?: TrapSignals
}

/** What tells a page from those that say the same. */
export interface TrapSignals {
  /** Whether it shows a text or a picture that its host has not shown often before, as far as is known. */
  readonly hasNewContent: boolean
  /** Its links inside the scope, each once. */
  readonly links: number
  /**
   * Where its URL may be another name of a page: what tells whether it is. A file shows nothing that can
   * be compared.
   */
  readonly alias?: AliasEvidence
}

/** What tells whether a page is the same as another. */
export interface AliasEvidence {
  readonly hashes?: ContentHashes
  /** Links of the page hold an id of its URL, too. */
  readonly keepsIds?: true
}

/** What stands for all that a page shows. */
export interface ContentHashes {
  readonly all: number
  /** The same for its words alone, numbers left out. */
  readonly words: number
}

/** URLs that a page leads to by steps of length 0, new or not. */
export interface SameDepthUrls {
  readonly hop: 'redirect' | 'asset' | 'sitemap' | 'external'
  readonly urls: readonly string[]
}

/** There was an answer. */
export interface Visited extends Attachments, Findings, Attempt {
  readonly type: 'visited'
  readonly id: number
  /** The fields of its record. */
  readonly fields: FetchedFields
  readonly status: number
  /** Bytes of the decoded body. */
  readonly bytes: number
  /** What the URL holds, where that is kept and the answer tells. */
  readonly content?: Content
  readonly change?: Change
  /** What stands for the content of a page, where that is asked for. */
  readonly fingerprint?: string
  /** Code of the error, where the answer is of no use. */
  readonly error?: ErrorCode
  /** Where a redirect leads to, outside of the scope. */
  readonly leaves?: string
  /** A seed that lists URLs, without `--sitemaps`. */
  readonly isUnreadSitemap?: boolean
  /** Links inside the scope; absent where nothing was read for links. */
  readonly linkCount?: number
  /** URLs that the page names and that are not fetched, for the file of `--skipped`. */
  readonly skipped: readonly Skip[]
  /** What of it was accounted for by no other page. */
  readonly counts?: SkipCounts
}

/** There was none, and there will be no other attempt. */
export interface Failed extends Partial<Attempt> {
  readonly type: 'failed'
  readonly id: number
  /** The fields of its record. */
  readonly fields: FetchedFields
  readonly error: ErrorCode
  readonly message: string
}

/** A later attempt may succeed. */
export interface Postponed extends Attempt {
  readonly type: 'postponed'
  readonly id: number
  /** Of the answer; undefined when there was none. */
  readonly status?: number
  /** Code of the failure, when there was no answer, or it broke off. */
  readonly error?: ErrorCode
}

/** What came of a probe. */
export interface ProbeReply {
  /** Of the answer; undefined when there was none. */
  readonly status?: number
  /** Code of the failure, when there was no answer. */
  readonly error?: ErrorCode
  readonly retryAfter?: number
}

/** What robots.txt of an origin says: rules, or one verdict for all of its URLs. */
export type RobotsAnswer =
  | { readonly access: 'rules'; readonly rules: RobotsRules }
  | { readonly access: 'allow-all' }
  | RobotsFailure

/** robots.txt could not be had. */
export interface RobotsFailure {
  readonly access: 'disallow-all'
  readonly reason: string
  /** Asking again may succeed. */
  readonly passing: boolean
  /** As that of an attempt. */
  readonly retryAfter?: number
  /** The host asked for longer than that. */
  readonly isExcessive?: boolean
}

/** What came of a request for robots.txt. */
export type RobotsReply = RobotsAnswer | { readonly access: 'moved'; readonly to: string }

/** Claims that the log of a worker has no room for: to be kept until their pages are told. */
interface ClaimsHandedOver extends OlderClaims {
  readonly type: 'claims'
}

export type WorkerMessage =
  | { readonly type: 'ready'; readonly heapLimit: number }
  | SetCookies
  | ClaimsHandedOver
  | { readonly type: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly type: 'robots'; readonly origin: string; readonly reply: RobotsReply }
  | { readonly type: 'probe'; readonly host: string; readonly reply: ProbeReply }
