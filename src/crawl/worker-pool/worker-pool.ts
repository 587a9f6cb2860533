import { CrawlerError } from '../../errors.ts'
import type { SetCookies } from '../../messages/from-worker.ts'
import type {
  CoordinatorMessage,
  ProbeRequest,
  ResourceRequest,
  RobotsRequest,
} from '../../messages/to-worker.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { endTurbofanDelay } from '../../runtime/turbofan-delay.ts'
import { applyMemoryFlags } from '../../runtime/v8-memory-flags.ts'
import { FetchWorker } from './fetch-worker.ts'
import { OverloadWatch } from './overload-watch.ts'
import { type PendingSummary, summarizePending } from './pending-summary.ts'
import type { PoolEvents } from './pool-events.ts'
import { failedStartError, hooksError } from './thread-error.ts'
import { type QueuedUrls, WorkerChoice } from './worker-choice.ts'

/** Maximum number of threads in a row that may die before they run our code. */
const MAX_FAILED_STARTS = 10

/** A robots.txt counts as unreachable after the death of this many workers that had no other request before. */
const MAX_ROBOTS_DEATHS = 4

interface WorkerPoolOptions {
  readonly workers: number
  /** Requests that each worker makes at a time. */
  readonly concurrency: number
  readonly deterministic?: boolean
  readonly rate?: number | undefined
  readonly bandwidth?: number | undefined
  /** Maximum milliseconds for which hooks may block a worker. */
  readonly stallLimit: number
  /** False if no worker can run in addition to `workers`. */
  readonly hasSpareRoom?: boolean
}

/** Logs which worker gets a URL. */
interface AssignmentLog {
  assigned(crawlUrl: CrawlUrl, worker: number): void
}

/** Returns the setup of a worker, without its claim log. */
type SetupOf = (worker: number, owner: number) => Omit<WorkerSetup, 'claims'>

/**
 * The fetch workers. The first one starts at once, further ones when there is work for them. A worker that dies is
 * replaced. Each gets up to twice as many URLs as it fetches at a time, so that it never waits for the coordinator. A
 * URL that may kill its worker gets a worker of its own.
 */
export class WorkerPool {
  readonly #setup: SetupOf
  readonly #events: PoolEvents
  readonly #log: AssignmentLog | undefined
  /** The started workers, by number. The rest are started when these have too much to do. */
  readonly #threads: FetchWorker[] = []
  #workers: number
  readonly #overload: OverloadWatch
  readonly #choice: WorkerChoice
  /** Workers for one URL each. */
  readonly #singleUrlWorkers = new Set<FetchWorker>()
  readonly #concurrency: number
  readonly #flags: ReturnType<typeof applyMemoryFlags>
  readonly #stallLimit: number
  #hasSpareRoom: boolean
  readonly #recalls: boolean
  #owners = 0
  #failedStarts = 0
  readonly #robotsDeaths = new Map<string, number>()

  /** @param log receives each URL with the number of its worker */
  constructor(
    options: WorkerPoolOptions,
    queue: QueuedUrls,
    setup: SetupOf,
    events: PoolEvents,
    log: AssignmentLog | undefined,
  ) {
    const { workers, concurrency, stallLimit, rate, bandwidth, hasSpareRoom = true } = options
    this.#recalls = options.deterministic !== true
    const isThrottled = rate !== undefined || bandwidth !== undefined
    this.#setup = setup
    this.#events = events
    this.#log = log
    this.#concurrency = concurrency
    this.#stallLimit = stallLimit
    this.#hasSpareRoom = hasSpareRoom
    this.#flags = applyMemoryFlags(workers)
    this.#workers = workers
    this.#overload = new OverloadWatch(this.#threads, { concurrency, isThrottled }, () =>
      this.#startAnother(),
    )
    const overload = this.#overload
    this.#choice = new WorkerChoice(this.#threads, queue, { workers, concurrency, overload })
    this.#startAnother()
  }

  /** Number of URLs that are assigned to workers. */
  get inFlight(): number {
    let sum = 0
    for (const thread of this.#threads) sum += thread.requests.inFlight
    for (const thread of this.#singleUrlWorkers) sum += thread.requests.inFlight
    return sum
  }

  /** True when no worker has a request. */
  get isIdle(): boolean {
    return this.#all.every(({ load }) => load === 0)
  }

  /** Number of URLs that are assigned to each worker, from worker 1. */
  get loads(): readonly number[] {
    const loads = Array.from(
      { length: this.#workers },
      (_, i) => this.#threads[i]?.requests.inFlight ?? 0,
    )
    for (const { number, requests } of this.#singleUrlWorkers) {
      loads[number - 1] = (loads[number - 1] ?? 0) + requests.inFlight
    }
    return loads
  }

  /** Number of URLs that can be assigned now. */
  get room(): number {
    return this.#threads.reduce((sum, thread) => sum + this.#roomOf(thread), 0)
  }

  /**
   * Assigns each URL to the worker of its host, or to the least loaded one. There must be `room` for all of them.
   */
  assign(crawlUrls: readonly CrawlUrl[]): void {
    const now = performance.now()
    for (const crawlUrl of crawlUrls) this.#assign(crawlUrl, this.#workerFor(crawlUrl), now)
    for (const thread of this.#threads) thread.send()
  }

  /**
   * Assigns a URL to a new worker, which ends afterwards. So other URLs neither die with it nor kill its worker. If the
   * system has no room for a further worker, an existing one gets the URL.
   */
  assignAlone(crawlUrl: CrawlUrl): void {
    const thread = this.#hasSpareRoom ? this.#startUnlessRefused(1) : undefined
    if (thread === undefined) {
      this.assign([crawlUrl])
      return
    }
    this.#singleUrlWorkers.add(thread)
    this.#assign(crawlUrl, thread, performance.now())
    thread.send()
  }

  /** Returns the worker for a URL. Starts another one before, if it is needed. */
  #workerFor(target: { readonly url: string }): FetchWorker {
    if (this.#choice.needsAnother) this.#startAnother()
    return this.#choice.workerFor(target)
  }

  #assign(crawlUrl: CrawlUrl, thread: FetchWorker, now: number): void {
    this.#log?.assigned(crawlUrl, thread.number)
    thread.assign(crawlUrl, now)
  }

  /** Requests a robots.txt, or finds out whether a host answers. */
  request(request: RobotsRequest | ProbeRequest): void {
    this.#workerFor(request).request(request)
  }

  /** Fetches a resource that a rendered page loads. */
  fetchResource(request: ResourceRequest): void {
    this.#choice.leastLoaded().fetchResource(request)
  }

  /** Summarizes the requests that have no reply yet, with at most `max` of each kind. */
  pending(max: number, now: number): Record<'requests' | 'robots', PendingSummary> {
    const toHosts = this.#all.flatMap(({ requests }) => requests.toHosts)
    const robots = this.#all.flatMap(({ requests }) => requests.robots)
    return {
      requests: summarizePending(toHosts, max, now),
      robots: summarizePending(robots, max, now),
    }
  }

  /** Has workers return the URLs that they have not requested yet: those of one host, or all. */
  recall(host?: string): void {
    // In a deterministic order, later URLs wait for each URL, so a recall would delay them all.
    if (!this.#recalls) return
    for (const thread of this.#threads) {
      if (thread.load > this.#concurrency) thread.post({ type: 'recall', host })
    }
  }

  broadcast(message: CoordinatorMessage): void {
    for (const thread of this.#all) thread.post(message)
  }

  async close(): Promise<void> {
    this.#overload.stop()
    await Promise.all(this.#all.map((thread) => thread.end()))
    // The main thread may cache code at the end of the process, which V8 rejects if it has other flags then.
    this.#flags.restore()
    endTurbofanDelay()
  }

  get #all(): readonly FetchWorker[] {
    return [...this.#threads, ...this.#singleUrlWorkers]
  }

  /** Starts another worker, and recalls the URLs that wait in the others, so that it can request them. */
  #startAnother(): void {
    if (this.#threads.length === this.#workers) return
    for (const thread of this.#threads) thread.send()
    this.recall()
    const thread = this.#startUnlessRefused(this.#threads.length + 1)
    if (thread !== undefined) this.#threads.push(thread)
    if (this.#threads.length === this.#workers) this.#overload.stop()
  }

  /** Starts a worker. If the system refuses a further thread, returns undefined, and the running workers remain alone. */
  #startUnlessRefused(worker: number): FetchWorker | undefined {
    try {
      return this.#start(worker)
    } catch (error) {
      if (this.#threads.length === 0 || !(error instanceof CrawlerError)) throw error
      this.#events.refused(this.#threads.length, this.#workers)
      this.#workers = this.#threads.length
      this.#hasSpareRoom = false
      return undefined
    }
  }

  #start(worker: number): FetchWorker {
    const setup = this.#setup(worker, ++this.#owners)
    return new FetchWorker(setup, this.#flags.limits, this.#stallLimit, this.#events, {
      finished: (thread) => this.#endSingle(thread),
      cookies: (from, message) => this.#share(from, message),
      died: (thread, error) => this.#died(thread, error),
    })
  }

  /** Ends a worker that was started for a single URL, once that is done. */
  #endSingle(thread: FetchWorker): void {
    if (!this.#singleUrlWorkers.has(thread) || thread.load > 0) return
    void thread.end().then(() => this.#singleUrlWorkers.delete(thread))
  }

  #share(from: FetchWorker, message: SetCookies): void {
    for (const thread of this.#all) if (thread !== from) thread.post(message)
  }

  #died(dead: FetchWorker, error: Error): void {
    this.#failedStarts = dead.isReady ? 0 : this.#failedStarts + 1
    const fatal = this.#fatalError(dead, error)
    if (fatal !== undefined) {
      this.#events.failed(fatal)
      return
    }
    if (!this.#singleUrlWorkers.delete(dead))
      this.#threads[dead.number - 1] = this.#start(dead.number)
    const { owner, isReady: wasReady, requests, unreportedClaims: claims } = dead
    this.#events.died({ error, owner, wasReady, crawlUrls: requests.crawlUrls, claims })
    for (const { request } of requests.robots) this.#requestAgain(request, dead, error)
    const failed = { reply: { refused: error.message }, attempt: { ms: 0 } }
    for (const id of requests.resources)
      this.#events.resourceFetched({ type: 'resource', id, ...failed })
    // The death of a worker says nothing about the host.
    for (const host of requests.probedHosts) this.#events.probed(host, {})
  }

  /** Returns the error if a worker's death ends the crawl: its CrawlerError, or one for too many failed starts. */
  #fatalError(dead: FetchWorker, error: Error): CrawlerError | undefined {
    if (error instanceof CrawlerError) return error
    return this.#failedStarts > MAX_FAILED_STARTS ? failedStartError(dead.hooks, error) : undefined
  }

  #requestAgain(request: RobotsRequest, dead: FetchWorker, error: Error): void {
    const { origin, url } = request
    const before = this.#robotsDeaths.get(origin) ?? 0
    const deaths = dead.isReady && dead.requests.taken === 1 ? before + 1 : before
    this.#robotsDeaths.set(origin, deaths)
    if (deaths < MAX_ROBOTS_DEATHS) {
      this.request(request)
    } else if (dead.hooks !== undefined) {
      // The hooks are at fault: nothing else is known to end workers before they have fetched a page.
      this.#events.failed(hooksError(dead.hooks, error))
    } else {
      const reason = `${url}: the workers that requested it died: ${error.message}`
      const reply = { access: 'disallow-all', reason, isTransient: false } as const
      this.#events.robots({ type: 'robots', origin, reply })
    }
  }

  #roomOf(thread: FetchWorker): number {
    return Math.max(0, 2 * this.#concurrency - thread.load + thread.requests.pagesInBrowser)
  }
}
