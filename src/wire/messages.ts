import type { RobotsRules } from '../robots/parse.ts'
import type { SeenMemory } from '../seen/kinds.ts'
import type { CanonicalRule } from '../url/canonical-rules.ts'
import type { ScopeRules } from '../url/scope.ts'
import type { BodySlotsMemory } from './body-slots.ts'
import type { Change, Content } from './content.ts'
import type { CrawlUrl } from './crawl-url.ts'
import type { Delivery, LinkGraph } from './delivery.ts'
import type { ErrorCode } from './error-code.ts'
import type { PageSettings } from './page-settings.ts'
import type { SeedHostsMemory } from './seed-hosts.ts'

// ---- sent by the coordinator -------------------------------------------------------------------

/** What a worker is started with. */
export interface WorkerSetup extends PageSettings {
  /** Number of the worker in logs and records, from 1; a replacement takes it over. */
  readonly worker: number
  /** Number of this thread in the seen set, never used again. */
  readonly owner: number
  readonly concurrency: number
  readonly depth: number
  readonly maxRedirects: number
  readonly maxBody: number
  readonly timeout: number
  /** Milliseconds to look a name up, connect, and agree on TLS. */
  readonly connectTimeout: number
  readonly retries: number
  readonly ignoreRobots: boolean
  readonly assets: boolean
  /** Whether links out of the scope are asked for, too. */
  readonly external: boolean
  /** What outputs want to be told of the links of pages. */
  readonly linkGraph: LinkGraph | undefined
  readonly canonicalize: readonly CanonicalRule[]
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
  /** Where `headers` may go. */
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin, for seeds that came with user and password. */
  readonly authorizations: Readonly<Record<string, string>>
  readonly insecure: boolean
  /** Lines of a Netscape cookie file; undefined when cookies are neither kept nor sent. */
  readonly cookies: readonly string[] | undefined
  /** URL of a proxy that all requests go through. */
  readonly proxy?: string | undefined
  /** Whether sites may lead to private addresses. */
  readonly allowPrivate: boolean
  /** Hosts that are open where they are themselves private. */
  readonly seedHosts: SeedHostsMemory
  readonly scope: ScopeRules
  /** Hosts that joined the scope since the crawl began, each by a URL of theirs. */
  readonly widened: readonly string[]
  readonly seen: SeenMemory
  readonly shorterPaths: SeenMemory
  /** Remembers what was accounted for. */
  readonly accounts: SeenMemory
  /** Counts what pages show; undefined when nothing is taken for a trap. */
  readonly shownTexts: SharedArrayBuffer | undefined
  /** Whether an output wants requests and answers. */
  readonly archives: boolean
  /** Whether an output wants the links of each page. */
  readonly tellOutlinks: boolean
  /** Whether `--skipped` wants lines. */
  readonly tellSkipped: boolean
  /** Whether bodies are digested, to be compared when they are fetched again. */
  readonly digests: boolean
  /** Records say nothing that another run wouldn't. */
  readonly deterministic: boolean
  /** All links are told, and no URL is claimed: the main thread does so. */
  readonly claimsLate: boolean
  /** Which fingerprints of pages are wanted. */
  readonly contentDedup?: 'exact' | 'near' | undefined
  readonly counters: SharedArrayBuffer
  /** Whether memory counts for more than time. */
  readonly savesMemory: boolean
  /** Room for large bodies, by the size of the largest. */
  readonly bodySlots: readonly BodySlotsMemory[]
}

export type CoordinatorMessage =
  | { readonly type: 'visit'; readonly crawlUrls: readonly CrawlUrl[] }
  | RobotsErrand
  | { readonly type: 'widen'; readonly url: string }
  | SetCookies
  /** Nothing more will come. */
  | { readonly type: 'end' }

/** A request for the robots.txt of an origin: at its usual place, or where that redirects to. */
export interface RobotsErrand {
  readonly type: 'robots'
  readonly origin: string
  readonly url: string
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
  /** Milliseconds that the host wants to be left alone for: Retry-After of 429 and 503. */
  readonly retryAfter?: number
}

/** What an answer leads to, inside the scope. */
export interface Findings {
  /** URLs that are new to the whole crawl, one link deeper. */
  readonly discovered: readonly string[]
  /** URLs named before, one link deeper, for which this page may be on a shorter path. */
  readonly nearer: readonly string[]
  /** What stands at the same depth. */
  readonly beside: readonly Beside[]
  /** When asked for by `keepLinks`: all links, by `packLinks`. */
  readonly links?: Uint8Array
  /** For the recognition of traps; absent where nothing was read, or nobody asks. */
  readonly reading?: PageReading
}

/** What tells a page from those that say the same. */
export interface PageReading {
  /** Whether it shows a text or a picture that its host has not shown often before. */
  readonly isFresh: boolean
  /** Its links inside the scope, each once. */
  readonly links: number
}

/** URLs that a page leads to by steps of length 0, new or not. */
export interface Beside {
  readonly hop: 'redirect' | 'asset' | 'sitemap' | 'external'
  readonly urls: readonly string[]
}

/** There was an answer. */
export interface Visited extends Delivery, Findings, Attempt {
  readonly type: 'visited'
  readonly id: number
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
  /** Lines for the file of `--skipped`. */
  readonly skipped: readonly string[]
}

/** There was none, and there will be no other attempt. */
export interface Failed extends Delivery, Partial<Attempt> {
  readonly type: 'failed'
  readonly id: number
  readonly error: ErrorCode
  readonly message: string
}

/** A later attempt may succeed. */
interface Postponed extends Attempt {
  readonly type: 'postponed'
  readonly id: number
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
  readonly retryAfter?: number
}

/** What came of a request for robots.txt. */
export type RobotsReply = RobotsAnswer | { readonly access: 'moved'; readonly to: string }

export type WorkerMessage =
  | { readonly type: 'ready' }
  | SetCookies
  | { readonly type: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly type: 'robots'; readonly origin: string; readonly reply: RobotsReply }
