import { SharedFrontier } from '../cluster/agent/shared-frontier.ts'
import type { JoinedJob } from '../cluster/join-job.ts'
import { type LocalConfig, localConfig } from '../cluster/shared-seen.ts'
import type { Config } from '../config/schema.ts'
import { readCookies } from '../cookies/cookie-file.ts'
import { CookieJar } from '../cookies/cookie-jar.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { openFrontier } from '../frontier/open-frontier.ts'
import type { Logger } from '../logger.ts'
import type { BodyFolder, LinkGraph } from '../records/delivery.ts'
import { FIXED_HASH_KEY } from '../seen/half-siphash.ts'
import type { Sink } from '../sinks/output.ts'
import { SeedHostStore } from '../state/seed-host-store.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { type CrawlStorage, temporaryStorage } from '../state/store.ts'
import { VisitStore } from '../state/visit-store.ts'
import { parseSeed } from '../url/seed.ts'
import { CrawlScope } from './seeds/crawl-scope.ts'
import { SeedList } from './seeds/seed-list.ts'
import { GivenUpHosts } from './stats/given-up-hosts.ts'
import { SkipLog } from './stats/skip-log.ts'
import { Tally } from './stats/tally.ts'
import type { Tuning } from './tuning.ts'
import type { FittedConfig } from './worker-pool/fit-open-files.ts'
import { SharedMemory } from './worker-pool/shared-memory.ts'

/** What a crawl leaves beside its visits. */
interface Outlets {
  /** Where a line goes for each URL that is not fetched. */
  readonly skipped?: Sink
  readonly linkGraph?: LinkGraph | undefined
  readonly bodies?: BodyFolder | undefined
  /** What outlives the process. */
  readonly directory?: StateDirectory | undefined
  /** What the process takes part in. */
  readonly joined?: JoinedJob | undefined
}

/** All that a crawl knows, on the main thread: what its parts read and write. */
export class CrawlState {
  readonly config: LocalConfig<FittedConfig>
  readonly logger: Logger
  readonly tuning: Tuning
  readonly tally = new Tally()
  readonly seeds: SeedList
  readonly scope: CrawlScope
  readonly memory: SharedMemory
  readonly frontier: Frontier
  /** Undefined when no other process takes part. */
  readonly joined: JoinedJob | undefined
  /** The frontier where it is one of many. */
  readonly shared: SharedFrontier | undefined
  readonly skips: SkipLog
  readonly givenUp = new GivenUpHosts()
  /** What outputs want to be told of the links of pages. */
  readonly linkGraph: LinkGraph | undefined
  /** Where workers put bodies; undefined when nobody wants them. */
  readonly bodies: BodyFolder | undefined
  /** Undefined when none are kept. */
  readonly cookies: CookieJar | undefined
  /** Undefined where nothing outlives the process. */
  readonly directory: StateDirectory | undefined
  readonly visits: VisitStore | undefined
  readonly seedHosts: SeedHostStore | undefined
  readonly store: CrawlStorage

  /**
   * @throws CrawlerError('usage') for a seed that is no URL, or a seen set of impossible size
   */
  constructor(given: FittedConfig, logger: Logger, outlets: Outlets, tuning: Tuning) {
    const { skipped, directory, joined, linkGraph, bodies } = outlets
    const config = localConfig(given)
    const store = directory ?? temporaryStorage(config.deterministic ? FIXED_HASH_KEY : undefined)
    this.store = store
    this.directory = directory
    this.tuning = tuning
    this.config = config
    this.logger = logger
    this.seedHosts = directory && new SeedHostStore(directory.database)
    this.seeds = new SeedList(config.seeds.map((seed) => parseSeed(seed.reveal())))
    for (const finding of this.seedHosts?.all() ?? []) this.seeds.hosts.keep(finding)
    this.scope = new CrawlScope(config, this.seeds.urls)
    this.memory = new SharedMemory(config, store.hashKey, directory?.path)
    // Behind a proxy it is the proxy that looks names up.
    const perIp = config.perIp && config.proxy === undefined
    const options = { ...config, perIp, trapLimits: tuning.trapLimits }
    this.joined = joined
    this.shared = joined && new SharedFrontier(options, store, this.seeds)
    this.frontier = this.shared ?? openFrontier(options, store)
    this.visits = directory && new VisitStore(directory.database)
    this.skips = new SkipLog(skipped)
    this.linkGraph = linkGraph
    this.bodies = bodies
    this.cookies = cookieJarFor(config)
  }
}

function cookieJarFor({ cookies }: Config): CookieJar | undefined {
  if (cookies === false) return undefined
  return cookies === true ? new CookieJar([]) : readCookies(cookies)
}
