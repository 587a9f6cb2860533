import type { ResourceLimits } from 'node:worker_threads'
import { CrawlerError } from '../../errors.ts'
import type { Claim } from '../../messages/claim-log.ts'
import type { SetCookies, SitemapPartRead, WorkerMessage } from '../../messages/from-worker.ts'
import type { Outcome } from '../../messages/outcome.ts'
import { unpackOutcomes } from '../../messages/outcome-text.ts'
import { Pulse } from '../../messages/pulse.ts'
import type {
  CoordinatorMessage,
  ProbeRequest,
  ResourceRequest,
  RobotsRequest,
} from '../../messages/to-worker.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { PoolEvents, WorkerOutcome } from './pool-events.ts'
import { StallWatch } from './stall-watch.ts'
import { WorkerClaims } from './worker-claims.ts'
import { WorkerThread } from './worker-thread.ts'

/** Events of a worker that its pool handles. */
interface WorkerPoolActions {
  /** URLs of a worker are done. */
  finished(worker: FetchWorker): void
  cookies(from: FetchWorker, message: SetCookies): void
  died(worker: FetchWorker, error: Error): void
}

/** The state of a thread. If there are hooks, it imports their module before it is ready. */
type Stage = 'starting' | 'importing' | 'ready'

/** A request that a worker works on. */
export interface PendingRequest<T> {
  readonly request: T
  /** Time when it was sent, in milliseconds of the monotonic clock. */
  readonly since: number
}

/** One worker thread, and the requests that it works on. */
export class FetchWorker {
  readonly number: number
  readonly owner: number
  readonly #urls = new Map<number, PendingRequest<CrawlUrl>>()
  /** Requests for robots.txt, by origin. */
  readonly #robots = new Map<string, PendingRequest<RobotsRequest>>()
  /** Probes, which find out whether a host answers, by host. */
  readonly #probes = new Map<string, PendingRequest<ProbeRequest>>()
  /** Pages that wait for a browser. */
  readonly #rendering = new Set<number>()
  readonly #rendersTakeNoRoom: boolean
  readonly #resources = new Set<number>()
  #taken = 0
  /** URLs that are assigned and not sent yet. */
  #unsent: CrawlUrl[] = []
  readonly #claims = new WorkerClaims()
  readonly #pulse = Pulse.allocate()
  readonly #thread: WorkerThread
  readonly #events: Omit<PoolEvents, 'died' | 'failed'>
  readonly #pool: WorkerPoolActions
  readonly #hooks: string | undefined
  readonly #stallLimit: number
  /** Set if there are hooks, since no other code blocks the event loop for long. */
  #stallWatch: StallWatch | undefined
  #stage: Stage = 'starting'

  /** @param stallLimit maximum milliseconds for which hooks may block the event loop */
  constructor(
    setup: Omit<WorkerSetup, 'claims'>,
    limits: ResourceLimits,
    stallLimit: number,
    events: Omit<PoolEvents, 'died' | 'failed'>,
    pool: WorkerPoolActions,
  ) {
    this.number = setup.worker
    this.owner = setup.owner
    this.#events = events
    this.#pool = pool
    this.#hooks = setup.hooks
    this.#rendersTakeNoRoom = setup.deterministic
    this.#stallLimit = stallLimit
    const memory = { claims: this.#claims.memory, pulse: this.#pulse }
    this.#thread = new WorkerThread({ ...setup, ...memory }, limits, {
      message: (message) => events.pass(() => this.#receive(message)),
      died: (error) => {
        this.#stallWatch?.stop()
        events.pass(() => pool.died(this, error))
      },
    })
  }

  /** True once the thread runs our code. */
  get isReady(): boolean {
    return this.#stage === 'ready'
  }

  /** The module of hooks, once its import has begun. */
  get hooks(): string | undefined {
    return this.#stage === 'starting' ? undefined : this.#hooks
  }

  /** Ids of requests of rendered pages that have no reply yet. */
  get resources(): ReadonlySet<number> {
    return this.#resources
  }

  /** Number of URLs that are assigned to it. */
  get inFlight(): number {
    return this.#urls.size
  }

  /** Number of its requests of all kinds. */
  get load(): number {
    return this.#urls.size + this.#robots.size + this.#probes.size + this.#resources.size
  }

  /**
   * Number of pages that wait for a browser and take no room meanwhile. With `--deterministic`, they may wait for a
   * page that could not be assigned without that room. They are a few hundred at most.
   */
  get pagesInBrowser(): number {
    return this.#rendersTakeNoRoom ? this.#rendering.size : 0
  }

  /** Number of requests of all kinds that it has ever had. */
  get taken(): number {
    return this.#taken
  }

  /** Returns the share of the time since the last call for which it was busy: 0 to 1. */
  takeBusyShare(): number {
    return this.#thread.takeBusyShare()
  }

  /** The URLs that are assigned to it. */
  get crawlUrls(): CrawlUrl[] {
    return [...this.#urls.values()].map(({ request }) => request)
  }

  get robotsRequests(): PendingRequest<RobotsRequest>[] {
    return [...this.#robots.values()]
  }

  /** Requests for pages, and those that find out whether a host answers. */
  get hostRequests(): PendingRequest<CrawlUrl | ProbeRequest>[] {
    return [...this.#urls.values(), ...this.#probes.values()]
  }

  get probedHosts(): string[] {
    return [...this.#probes.keys()]
  }

  /** Claims for pages whose outcomes were not reported. Must be read only after the thread has ended. */
  get unreportedClaims(): Claim[] {
    return this.#claims.unreported((page) => this.#urls.has(page))
  }

  /** Assigns a URL. `send` will send it. */
  assign(crawlUrl: CrawlUrl, now: number): void {
    this.#taken++
    this.#urls.set(crawlUrl.id, { request: crawlUrl, since: now })
    this.#unsent.push(crawlUrl)
  }

  /** Sends the assigned URLs in one message. */
  send(): void {
    if (this.#unsent.length > 0) this.post({ type: 'visit', crawlUrls: this.#unsent })
    this.#unsent = []
  }

  /** Requests a robots.txt, or finds out whether a host answers. */
  request(request: RobotsRequest | ProbeRequest): void {
    const since = performance.now()
    this.#taken++
    if (request.type === 'probe') this.#probes.set(request.host, { request, since })
    else this.#robots.set(request.origin, { request, since })
    this.post(request)
  }

  /** Fetches a resource that a rendered page loads. */
  fetchResource(request: ResourceRequest): void {
    this.#resources.add(request.id)
    this.post(request)
  }

  post(message: CoordinatorMessage): void {
    this.#thread.post(message)
  }

  /** Ends the thread, by force if it takes too long. Resolves when it runs no code any more. */
  async end(): Promise<void> {
    await this.#thread.end()
    this.#stallWatch?.stop()
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'importing':
        this.#stage = message.type
        this.#watch()
        break
      case 'ready':
        this.#stage = message.type
        this.#events.ready(message.heapLimit)
        break
      case 'robots':
        this.#robots.delete(message.origin)
        this.#events.robots(message)
        break
      case 'probe':
        this.#probes.delete(message.host)
        this.#events.probed(message.host, message.reply)
        break
      case 'cookies':
        this.#pool.cookies(this, message)
        this.#events.cookies(message)
        break
      case 'sitemap-part':
        this.#addPart(message)
        break
      case 'render':
        this.#rendering.add(message.id)
        this.#events.render(message, (reply) => this.post(reply))
        break
      case 'resource':
        this.#resources.delete(message.id)
        this.#events.resourceFetched(message)
        break
      case 'claims':
        this.#claims.take(message)
        break
      case 'unsent':
        this.#returnUnsent(message.id)
        break
      case 'outcomes':
        this.#applyOutcomes(unpackOutcomes(message))
    }
  }

  #applyOutcomes(outcomes: readonly Outcome[]): void {
    const finished: WorkerOutcome[] = []
    for (const outcome of outcomes) {
      const crawlUrl = this.#finish(outcome.id)
      if (crawlUrl !== undefined) finished.push({ crawlUrl, outcome, worker: this.number })
    }
    this.#pool.finished(this)
    this.#events.outcomes(finished)
    this.#claims.drop((page) => !this.#urls.has(page))
  }

  #addPart(part: SitemapPartRead): void {
    const { id } = part
    this.#events.sitemapPart(part)
    this.#claims.drop((page) => page === id)
    this.post({ type: 'part-added', id })
  }

  #returnUnsent(id: number): void {
    const crawlUrl = this.#finish(id)
    if (crawlUrl !== undefined) this.#events.unsent(crawlUrl)
  }

  #watch(): void {
    const ping = () => this.post({ type: 'ping' })
    const onStalled = () => this.#thread.kill(this.#stallError())
    this.#stallWatch = new StallWatch(new Pulse(this.#pulse), this.#stallLimit, ping, onStalled)
  }

  #stallError(): Error {
    const time = `${Math.ceil(this.#stallLimit / 1_000)} s`
    if (this.isReady) return new Error(`hooks: ran for ${time} without returning`)
    const expected = `expected a module that is imported within ${time}`
    return new CrawlerError('usage', `hooks: ${expected}, got ${this.#hooks}`)
  }

  /** Removes a URL that is done, and returns it; undefined if it is not assigned to this worker. */
  #finish(id: number): CrawlUrl | undefined {
    const pending = this.#urls.get(id)
    this.#urls.delete(id)
    this.#rendering.delete(id)
    return pending?.request
  }
}
