import type { Action } from '../../frontier/action.ts'
import type { FrontierOptions } from '../../frontier/frontier.ts'
import type { FoundUrls } from '../../frontier/shortest-path/discovery.ts'
import { SqliteFrontier } from '../../frontier/sqlite/sqlite-frontier.ts'
import type { Findings } from '../../messages/outcome.ts'
import type { CrawlStorage } from '../../state/crawl-storage.ts'
import { hostKey } from '../../url/host-key.ts'
import type { PushedUrl } from '../job-queue.ts'
import { HostLeases } from './host-leases.ts'
import type { JobProgress } from './job-progress.ts'
import type { HostLearning } from './shared-learning.ts'
import { encodeSharedUrl } from './shared-url.ts'

/**
 * Minimum number of waiting URLs. With fewer, this process would run out of hosts of one page each before it has leased
 * others.
 */
const MIN_WAITING = 256

/** The seeds and the URLs that they redirect to. A redirect of one of them may widen the scope. */
interface SeedUrls {
  has(url: string): boolean
  countAsSeed(url: string): void
}

/** The seen set of this process: links to the URLs in it are not pushed. */
interface OwnSeenSet {
  addIfNew(urls: readonly string[]): unknown
}

/**
 * The frontier of a process that takes part in a job. It works only on the hosts that this process leases, so it
 * applies their politeness as if the process were alone. New URLs go to the shared queue, and the URLs to fetch come
 * from there. The frontier makes no calls itself: the agent exchanges its URLs with the queue.
 */
export class SharedFrontier extends SqliteFrontier {
  readonly leases: HostLeases
  readonly #depthLimit: number
  readonly #seeds: SeedUrls
  #found: PushedUrl[] = []
  /** Number of unfinished URLs of the whole job. */
  #openInJob = 0
  /** Number of visits of the whole job. */
  #visitsInJob = 0
  #isComplete = false
  #isPaused = false
  #isHungry = true
  #onNews: () => void = () => {}
  #onSeed: (url: string) => void = () => {}

  /**
   * @param seen set to which URLs from the shared queue are added
   * @param learning templates that are handed over with a host; undefined without `--render`
   */
  constructor(
    options: FrontierOptions,
    store: CrawlStorage,
    seeds: SeedUrls,
    seen: OwnSeenSet,
    learning?: HostLearning,
  ) {
    super(options, store)
    this.#depthLimit = options.depth
    this.#seeds = seeds
    const listeners = {
      onSeed: (url: string) => {
        seeds.countAsSeed(url)
        this.#onSeed(url)
      },
      // URLs are handed out at their final depth, so no page can offer a shorter path to them.
      onTaken: (urls: readonly string[]) => void seen.addIfNew(urls),
    }
    this.leases = new HostLeases(this.leasedHosts, listeners, learning)
  }

  override get unfinished(): number {
    return this.#isComplete ? 0 : Math.max(1, super.unfinished)
  }

  override get waiting(): number {
    return Math.max(super.waiting, this.#openInJob)
  }

  override get wakeAt(): number | undefined {
    return this.#isPaused ? undefined : super.wakeAt
  }

  /** Never true: URLs without a host here may be in the shared queue. */
  override get isStuck(): boolean {
    return false
  }

  /** True if the whole job has no URL left. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Number of visits of the whole job, as of the last update. */
  get visitsInJob(): number {
    return this.#visitsInJob
  }

  override get isPaused(): boolean {
    return this.#isPaused
  }

  /** True if the last `take` found fewer URLs than were wanted. */
  get isHungry(): boolean {
    return this.#isHungry
  }

  /** True if this process needs further hosts, now or soon. */
  get needsHosts(): boolean {
    return this.#isHungry || super.waiting < MIN_WAITING
  }

  /** @param listener called when the frontier has something to report to the shared queue, or needs URLs from it */
  onNews(listener: () => void): void {
    this.#onNews = listener
  }

  /** @param listener called with each URL from the shared queue that counts as a seed, before it is handed out */
  onSeed(listener: (url: string) => void): void {
    this.#onSeed = listener
  }

  /** Stops or resumes handing out URLs. */
  setPaused(isPaused: boolean): void {
    const wasPaused = this.#isPaused
    this.#isPaused = isPaused
    if (wasPaused && !isPaused) this.#onNews()
  }

  /**
   * Updates the progress of the whole job. It isn't complete while this process still has URLs or hosts.
   */
  setProgress({ open, visits, isComplete }: JobProgress): void {
    this.#openInJob = open
    this.#visitsInJob = visits
    const hasNews = this.#found.length > 0 || this.leases.size > 0
    this.#isComplete ||= isComplete && !hasNews
  }

  override take(max: number, now: number): Action[] {
    if (this.#isPaused || !this.leases.areSafe) return []
    const actions = super.take(max, now)
    const wasHungry = this.#isHungry
    this.#isHungry = actions.length < max
    if (this.#isHungry && !wasHungry) this.#onNews()
    return actions.map((action) => this.#addShared(action))
  }

  override visited(id: number, findings: Findings, now: number): void {
    super.visited(id, findings, now)
    this.#finish(id, findings.bytes ?? 0)
  }

  override failed(id: number, now: number, isReplaced = false): void {
    super.failed(id, now)
    this.#finish(id, isReplaced ? undefined : 0)
  }

  override retry(id: number, after: number | undefined, now: number): void {
    if (this.completion.isLost(id)) this.failed(id, now)
    else super.retry(id, after, now)
  }

  override returnUnsent(id: number, now: number): void {
    if (this.completion.isLost(id)) this.failed(id, now)
    else super.returnUnsent(id, now)
  }

  /** Returns the URLs that were found since the last call. */
  takeFound(): PushedUrl[] {
    const found = this.#found
    this.#found = []
    return found
  }

  /**
   * Returns true only for hosts that this process leases. The others belong to other processes, so that only one
   * process at a time makes requests to a host.
   */
  protected override mayRequest(host: string): boolean {
    return this.leases.has(host)
  }

  /** Collects found URLs for the shared queue, which checks whether they are new. */
  protected override addFound(_: number, ...found: FoundUrls[]): void {
    // A complete job knows the links of late responses: another process has fetched their pages.
    if (this.#isComplete) return
    for (const { urls, place } of found) {
      const { depth, sameDepthHops, redirects, hop, via: page } = place
      if (depth > this.#depthLimit) continue
      const via = page === null ? undefined : this.leases.find(page)?.url
      for (const url of urls) {
        const isSeed = this.#seeds.has(url)
        const text = encodeSharedUrl({ url, sameDepthHops, redirects, hop, via, isSeed })
        this.#found.push({ url, host: hostKey(url), depth, text })
      }
    }
    this.#onNews()
  }

  /** Adds what the tables of this frontier don't store: the referring page, and attempts of other processes. */
  #addShared(action: Action): Action {
    if (!('crawlUrl' in action)) return action
    const { crawlUrl } = action
    const { via, attempts = 0 } = this.leases.find(crawlUrl.id) ?? {}
    if (action.type === 'skip') this.#finish(crawlUrl.id)
    return { ...action, crawlUrl: { ...crawlUrl, via, attempt: crawlUrl.attempt + attempts } }
  }

  /** @param bytes of the body, if the URL has a record */
  #finish(id: number, bytes?: number): void {
    this.leases.finish(id, bytes)
    this.#onNews()
  }
}
