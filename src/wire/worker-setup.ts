import type { SeenMemory } from '../seen/kinds.ts'
import type { CanonicalRule } from '../url/canonical-rules.ts'
import type { ScopeRules } from '../url/scope.ts'
import type { BodySlotsMemory } from './body-slots.ts'
import type { LinkGraph } from './delivery.ts'
import type { PageSettings } from './page-settings.ts'
import type { SeedHostsMemory } from './seed-hosts.ts'

/** What a worker is started with. */
export interface WorkerSetup extends PageSettings {
  /** Number of the worker in logs and records, from 1; a replacement takes it over. */
  readonly worker: number
  /** Number of this thread in the seen set, never used again. */
  readonly owner: number
  readonly concurrency: number
  /** Connections in all, so that files can be opened beside them. */
  readonly maxSockets?: number | undefined
  readonly depth: number
  readonly maxRedirects: number
  readonly maxBody: number
  readonly timeout: number
  /** Milliseconds to look a name up, connect, and agree on TLS. */
  readonly connectTimeout: number
  /** Bytes a second that a body has to come with, over `minRateTime` milliseconds. */
  readonly minRate?: number | undefined
  readonly minRateTime: number
  readonly retries: number
  /** Milliseconds that a host may ask to be left alone for. */
  readonly maxRetryAfter: number
  readonly ignoreRobots: boolean
  readonly assets: boolean
  /** Whether URLs are taken from sitemaps. */
  readonly sitemaps: boolean
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
  /** Whether URL spaces without end are left. */
  readonly traps: boolean
  /** What this thread claims, for the case that it dies. */
  readonly claims: SharedArrayBuffer
  /** Counts what pages show; undefined where nobody asks what is new about them. */
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
