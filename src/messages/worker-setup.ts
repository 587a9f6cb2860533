import type { MessagePort } from 'node:worker_threads'
import type { WorkerSettings } from '../config/schema.ts'
import type { IpFamily } from '../fetch/addresses/pinned-addresses.ts'
import type { SeedHostsMemory } from '../fetch/addresses/seed-hosts.ts'
import type { TlsCertificates } from '../fetch/certificates.ts'
import type { ProxyRules } from '../fetch/proxy-rules.ts'
import type { SigningIdentity } from '../fetch/request-signer.ts'
import type { SiteFolder } from '../fetch/site-folder.ts'
import type { BodyFolder } from '../records/incoming-file.ts'
import type { LinkGraph } from '../records/visit-attachments.ts'
import type { BodySlotsMemory } from '../runtime/shared-body-memory.ts'
import type { SeenMemory } from '../seen/strategies.ts'
import type { LimitMemory } from '../throttle/request-limits.ts'
import type { ScopeRules } from '../url/scope.ts'

/** The data that a worker is started with. */
export interface WorkerSetup extends WorkerSettings, LimitMemory {
  /** Number of the worker in logs and records, from 1; a replacement takes it over. */
  readonly worker: number
  /** Number of this thread in the seen set; no other thread ever gets it. */
  readonly owner: number
  /** Maximum connections of the worker, so that the limit of open files leaves room for its files. */
  readonly maxSockets?: number | undefined
  /** True if the address space is too small for the memory of the WebAssembly page scanner. */
  readonly lacksAddresses?: boolean | undefined
  /** The folder in which bodies are saved; undefined if no output needs them. */
  readonly bodies?: BodyFolder | undefined
  /** The details of links that outputs need; undefined if they need none. */
  readonly linkGraph: LinkGraph | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The origins that `headers` may be sent to. */
  readonly headerOrigins: readonly string[]
  /** Values of the header Authorization by origin, for seeds that contain user and password. */
  readonly authorizations: Readonly<Record<string, string>>
  /** Canonical URL of the login page (`--login`). If it is set, links that log out are not followed. */
  readonly loginUrl?: string | undefined
  /** Canonical URLs of the login form, which the crawl doesn't fetch. */
  readonly loginPages?: readonly string[] | undefined
  /** Lines of a Netscape cookie file; undefined if cookies are neither stored nor sent. */
  readonly cookies: readonly string[] | undefined
  /** The proxies that sites are reached through. */
  readonly proxies: ProxyRules
  /** A folder that takes the place of a site. */
  readonly siteFolder?: SiteFolder | undefined
  /** Certificates in addition to those of the system. */
  readonly certificates: TlsCertificates | undefined
  /** The identity that signs requests; undefined if they aren't signed. */
  readonly signing?: SigningIdentity | undefined
  /** Fixed addresses of hosts: `host:port:address`. */
  readonly resolve: readonly string[]
  /** The only family of addresses to connect to; undefined for both. */
  readonly family: IpFamily | undefined
  /** Hosts of seeds, which may be at private addresses. */
  readonly seedHosts: SeedHostsMemory
  readonly scope: ScopeRules
  /** Hosts that joined the scope since the crawl began: one URL of each. */
  readonly widened: readonly string[]
  readonly seen: SeenMemory
  readonly shorterPaths: SeenMemory
  /** The set of skipped URLs that were counted. */
  readonly countedSkips: SeenMemory
  /** Memory of the thread's `ClaimLog`, which outlives the thread. */
  readonly claims: SharedArrayBuffer
  /** Counts of how often pages had a text; undefined if trap detection does not need them. */
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
  /** Memory of `FieldMatches` for the fields of `--extract`. */
  readonly fieldMatches?: SharedArrayBuffer | undefined
  /** Memory of `FieldMatches` for the element of `--content`. */
  readonly contentMatches?: SharedArrayBuffer | undefined
  /** The secret of the page scanner's hashes. The main thread makes it, so that workers need not load Node's crypto. */
  readonly scannerKey: Uint32Array
  /** True if memory is scarcer than time. */
  readonly savesMemory: boolean
  /** Memory for large bodies, one for each maximum size. */
  readonly bodySlots: readonly BodySlotsMemory[]
}

/** The setup of a worker, and its connection to the main thread. */
export interface ThreadSetup extends WorkerSetup {
  /** Memory of a `Pulse`, which shows the main thread that the worker is alive. */
  readonly pulse: SharedArrayBuffer
  /** Port for messages from and to the main thread. Hooks may use `parentPort`, so workers don't. */
  readonly port: MessagePort
}
