import type { WorkerSettings } from '../config/schema.ts'
import type { SeedHostsMemory } from '../fetch/addresses/seed-hosts.ts'
import type { BodyFolder, LinkGraph } from '../records/delivery.ts'
import type { BodySlotsMemory } from '../runtime/body-slots.ts'
import type { SeenMemory } from '../seen/kinds.ts'
import type { ScopeRules } from '../url/scope.ts'

/** What a worker is started with. */
export interface WorkerSetup extends WorkerSettings {
  /** Number of the worker in logs and records, from 1; a replacement takes it over. */
  readonly worker: number
  /** Number of this thread in the seen set, never used again. */
  readonly owner: number
  /** Connections in all, so that files can be opened beside them. */
  readonly maxSockets?: number | undefined
  /** Where bodies are put; undefined when no output wants any. */
  readonly bodies?: BodyFolder | undefined
  /** What outputs want to be told of the links of pages. */
  readonly linkGraph: LinkGraph | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Where `headers` may go. */
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin, for seeds that came with user and password. */
  readonly authorizations: Readonly<Record<string, string>>
  /** Lines of a Netscape cookie file; undefined when cookies are neither kept nor sent. */
  readonly cookies: readonly string[] | undefined
  /** URL of a proxy that all requests go through. */
  readonly proxy?: string | undefined
  /** Hosts that are open where they are themselves private. */
  readonly seedHosts: SeedHostsMemory
  readonly scope: ScopeRules
  /** Hosts that joined the scope since the crawl began, each by a URL of theirs. */
  readonly widened: readonly string[]
  readonly seen: SeenMemory
  readonly shorterPaths: SeenMemory
  /** Remembers what was accounted for. */
  readonly countedSkips: SeenMemory
  /** What this thread claims, for the case that it dies. */
  readonly claims: SharedArrayBuffer
  /** Counts what pages show; undefined where nobody asks what is new about them. */
  readonly textCounts: SharedArrayBuffer | undefined
  /** Whether an output wants requests and answers. */
  readonly archives: boolean
  /** Whether an output wants the links of each page. */
  readonly keepsOutlinks: boolean
  /** Whether `--skipped` wants lines. */
  readonly listsSkipped: boolean
  /** Whether bodies are digested, to be compared when they are fetched again. */
  readonly digests: boolean
  /** All links are told, and no URL is claimed: the main thread does so. */
  readonly defersSeenTest: boolean
  readonly counters: SharedArrayBuffer
  /** Whether memory counts for more than time. */
  readonly savesMemory: boolean
  /** Room for large bodies, by the size of the largest. */
  readonly bodySlots: readonly BodySlotsMemory[]
}
