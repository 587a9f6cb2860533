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
import { WorkerRequests } from './worker-requests.ts'
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

/** One worker thread, and the requests that it works on. */
export class FetchWorker {
  readonly number: number
  readonly owner: number
  readonly requests: WorkerRequests
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
    this.requests = new WorkerRequests(setup.deterministic)
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

  /** Number of its requests of all kinds. */
  get load(): number {
    return this.requests.load
  }

  /** Returns the share of the time since the last call for which it was busy: 0 to 1. */
  takeBusyShare(): number {
    return this.#thread.takeBusyShare()
  }

  /** Claims for pages whose outcomes were not reported. Must be read only after the thread has ended. */
  get unreportedClaims(): Claim[] {
    return this.#claims.unreported((page) => this.requests.hasUrl(page))
  }

  /** Assigns a URL. `send` will send it. */
  assign(crawlUrl: CrawlUrl, now: number): void {
    this.requests.addUrl(crawlUrl, now)
    this.#unsent.push(crawlUrl)
  }

  /** Sends the assigned URLs in one message. */
  send(): void {
    if (this.#unsent.length > 0) this.post({ type: 'visit', crawlUrls: this.#unsent })
    this.#unsent = []
  }

  /** Requests a robots.txt, or finds out whether a host answers. */
  request(request: RobotsRequest | ProbeRequest): void {
    this.requests.add(request, performance.now())
    this.post(request)
  }

  /** Fetches a resource that a rendered page loads. */
  fetchResource(request: ResourceRequest): void {
    this.requests.addResource(request)
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
        this.requests.endRobots(message.origin)
        this.#events.robots(message)
        break
      case 'probe':
        this.requests.endProbe(message.host)
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
        this.requests.beginRendering(message.id)
        this.#events.render(message, (reply) => this.post(reply))
        break
      case 'resource':
        this.requests.endResource(message.id)
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
      const crawlUrl = this.requests.endUrl(outcome.id)
      if (crawlUrl !== undefined) finished.push({ crawlUrl, outcome, worker: this.number })
    }
    this.#pool.finished(this)
    this.#events.outcomes(finished)
    this.#claims.drop((page) => !this.requests.hasUrl(page))
  }

  #addPart(part: SitemapPartRead): void {
    const { id } = part
    this.#events.sitemapPart(part)
    this.#claims.drop((page) => page === id)
    this.post({ type: 'part-added', id })
  }

  #returnUnsent(id: number): void {
    const crawlUrl = this.requests.endUrl(id)
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
}
