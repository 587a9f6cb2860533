import type { MessagePort } from 'node:worker_threads'
import type { WorkerSettings } from '../config/schema.ts'
import type { IpFamily } from '../fetch/addresses/pinned-addresses.ts'
import type { SeedHostsMemory } from '../fetch/addresses/seed-hosts.ts'
import type { TlsCertificates } from '../fetch/certificates.ts'
import type { ProxyRules } from '../fetch/proxy-rules.ts'
import type { BodyFolder, LinkGraph } from '../records/visit-attachments.ts'
import type { BodySlotsMemory } from '../runtime/shared-body-memory.ts'
import type { SeenMemory } from '../seen/strategies.ts'
import type { LimitMemory } from '../throttle/request-limits.ts'
import type { ScopeRules } from '../url/scope.ts'

/** The data that a worker is started with. */
export interface WorkerSetup extends WorkerSettings, LimitMemory {
  /** Number of the worker in logs and records, from 1; a replacement takes it over. */
  readonly worker: number
  /** Number of this thread in the seen set, never used again. */
  readonly owner: number
  /** Connections in all, so that files can be opened beside them. */
  readonly maxSockets?: number | undefined
  /** True if the address space has no room for the memory of the page scanner in WebAssembly. */
  readonly lacksAddresses?: boolean | undefined
  /** Where bodies are saved; undefined if no output needs them. */
  readonly bodies?: BodyFolder | undefined
  /** What outputs need of the links of pages. */
  readonly linkGraph: LinkGraph | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The origins that `headers` may be sent to. */
  readonly headerOrigins: readonly string[]
  /** Values of Authorization by origin, for seeds that came with user and password. */
  readonly authorizations: Readonly<Record<string, string>>
  /** Canonical URL of the login of `--login`: links that log out are not followed. */
  readonly loginUrl?: string | undefined
  /** Canonical URLs of its form, which are not fetched again. */
  readonly loginPages?: readonly string[] | undefined
  /** Lines of a Netscape cookie file; undefined when cookies are neither kept nor sent. */
  readonly cookies: readonly string[] | undefined
  /** The proxies that sites are reached through. */
  readonly proxies: ProxyRules
  /** Certificates beside those of the system. */
  readonly certificates: TlsCertificates | undefined
  /** Fixed addresses of hosts: `host:port:address`. */
  readonly resolve: readonly string[]
  /** The only family of addresses to connect to; undefined for both. */
  readonly family: IpFamily | undefined
  /** Hosts of seeds, which may be private. */
  readonly seedHosts: SeedHostsMemory
  readonly scope: ScopeRules
  /** Hosts that joined the scope since the crawl began, each by a URL of theirs. */
  readonly widened: readonly string[]
  readonly seen: SeenMemory
  readonly shorterPaths: SeenMemory
  /** The skipped URLs that were counted. */
  readonly countedSkips: SeenMemory
  /** The claims of this thread, which outlive it. */
  readonly claims: SharedArrayBuffer
  /** Counts of texts; undefined if trap detection does not need them. */
  readonly textCounts: SharedArrayBuffer | undefined
  /** True if an output archives requests and responses. */
  readonly archives: boolean
  /** True if an output needs the links of each page. */
  readonly keepsOutlinks: boolean
  /** True if skipped URLs are listed: for `--skipped`, or for the log. */
  readonly listsSkipped: boolean
  /** True if bodies are digested, to be compared at the next visit. */
  readonly digests: boolean
  /** True if workers send all links, and the main thread adds them to the seen set. */
  readonly defersSeenCheck: boolean
  readonly counters: SharedArrayBuffer
  /** Counts of pages for `FieldMatches`. */
  readonly fieldMatches?: SharedArrayBuffer | undefined
  /** The secret of the page scanner's hashes. From the main thread: a worker would load Node's crypto for it. */
  readonly scannerKey: Uint32Array
  /** True if memory is scarcer than time. */
  readonly savesMemory: boolean
  /** Memory for large bodies, by the size of the largest. */
  readonly bodySlots: readonly BodySlotsMemory[]
}

/** The setup of a worker, and its connection to the main thread. */
export interface ThreadSetup extends WorkerSetup {
  /** Memory of a `Pulse`, by which the main thread sees that the worker gets on. */
  readonly pulse: SharedArrayBuffer
  /** For messages from and to the main thread: hooks may use `parentPort` as they like. */
  readonly port: MessagePort
}
