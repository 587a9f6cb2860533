import type { ResourceLimits } from 'node:worker_threads'
import { CrawlerError, type FailureKind } from '../../errors.ts'
import type { Claim } from '../../messages/claim-log.ts'
import type {
  CoordinatorMessage,
  ProbeErrand,
  ProbeReply,
  RobotsErrand,
  RobotsReply,
  SetCookies,
} from '../../messages/messages.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { leanLimits } from '../../runtime/v8-limits.ts'
import type { Pending } from '../stats/watchdog.ts'
import { type Requested, type UrlOutcome, WorkerThread } from './worker-thread.ts'

/** What a worker leaves behind. */
export interface WorkerDeath {
  readonly error: Error
  /** Number of the thread. */
  readonly owner: number
  /** URLs that it had in its hands. */
  readonly crawlUrls: readonly CrawlUrl[]
  /** What it had claimed for them, and not told. */
  readonly claims: readonly Claim[]
}

/** What the pool tells the coordinator. */
export interface PoolEvents {
  /** Runs what comes of an event, at once or when it may: until then it counts as in flight. */
  pass(event: () => void): void
  outcomes(settled: readonly UrlOutcome[]): void
  robots(origin: string, reply: RobotsReply): void
  probed(host: string, reply: ProbeReply): void
  /** A site set cookies; the other workers were told. */
  cookies(message: SetCookies): void
  /** A worker runs, with so many bytes for its heap at most. */
  ready(heapLimit: number): void
  /** A worker died; another took its place. */
  died(death: WorkerDeath): void
  /** No worker can do its job. */
  failed(error: Error): void
}

/** Threads in a row that may end before they run our code: more is no bad luck. */
const MAX_STILLBORN = 10

/** A robots.txt that kills this many workers counts as unreachable. */
const MAX_ROBOTS_DEATHS = 4

/**
 * The fetch workers: started once, replaced when one dies. Each holds up to twice as many URLs as
 * it fetches at a time, so that it never waits for the coordinator.
 */
export class WorkerPool {
  readonly #setup: (worker: number, owner: number) => Omit<WorkerSetup, 'claims'>
  readonly #events: PoolEvents
  readonly #threads: WorkerThread[] = []
  readonly #roomPerWorker: number
  readonly #limits: ResourceLimits
  #owners = 0
  #stillborn = 0
  readonly #robotsDeaths = new Map<string, number>()
  #closing = false

  constructor(
    size: number,
    concurrency: number,
    setup: (worker: number, owner: number) => Omit<WorkerSetup, 'claims'>,
    events: PoolEvents,
  ) {
    this.#setup = setup
    this.#events = events
    this.#roomPerWorker = 2 * concurrency
    this.#limits = leanLimits(size)
    for (let worker = 1; worker <= size; worker++) this.#threads.push(this.#start(worker))
  }

  get inFlight(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.inFlight.size, 0)
  }

  /** Whether no worker has anything in its hands. */
  get isIdle(): boolean {
    return this.#threads.every(({ load }) => load === 0)
  }

  /** URLs in the hands of each worker, from worker 1. */
  get loads(): readonly number[] {
    return this.#threads.map(({ inFlight }) => inFlight.size)
  }

  /** URLs that can be assigned now. */
  get room(): number {
    return this.#threads.reduce((sum, thread) => sum + this.#roomOf(thread), 0)
  }

  /** Spreads URLs over the workers, the least loaded first; no more than there is `room` for. */
  assign(crawlUrls: readonly CrawlUrl[]): void {
    const since = performance.now()
    const shares = new Map<WorkerThread, CrawlUrl[]>()
    for (const crawlUrl of crawlUrls) {
      const thread = this.#leastLoaded()
      thread.inFlight.set(crawlUrl.id, { what: crawlUrl, since })
      const share = shares.get(thread)
      if (share === undefined) shares.set(thread, [crawlUrl])
      else share.push(crawlUrl)
    }
    for (const [thread, share] of shares) thread.post({ type: 'visit', crawlUrls: share })
  }

  ask(errand: RobotsErrand | ProbeErrand): void {
    this.#leastLoaded().ask(errand)
  }

  /** Requests that have not come back, and some of the oldest. */
  waits(max: number, now: number) {
    const requests = this.#threads.flatMap(({ inFlight, probes }) => [
      ...inFlight.values(),
      ...probes.values(),
    ])
    const robots = this.#threads.flatMap((thread) => [...thread.robots.values()])
    return { requests: oldestOf(requests, max, now), robots: oldestOf(robots, max, now) }
  }

  broadcast(message: CoordinatorMessage): void {
    for (const thread of this.#threads) thread.post(message)
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }

  #start(worker: number): WorkerThread {
    const setup = this.#setup(worker, ++this.#owners)
    return new WorkerThread(setup, this.#limits, {
      pass: (event) => this.#events.pass(event),
      outcomes: (settled) => this.#events.outcomes(settled),
      robots: (origin, reply) => this.#events.robots(origin, reply),
      probed: (host, reply) => this.#events.probed(host, reply),
      cookies: (from, message) => this.#share(from, message),
      ready: (heapLimit) => this.#events.ready(heapLimit),
      ended: (thread, error) => this.#replace(thread, error),
    })
  }

  #share(from: WorkerThread, message: SetCookies): void {
    for (const thread of this.#threads) if (thread !== from) thread.post(message)
    this.#events.cookies(message)
  }

  #replace(dead: WorkerThread, error: Error): void {
    if (this.#closing) return
    this.#stillborn = dead.isReady ? 0 : this.#stillborn + 1
    if ('kind' in error || this.#stillborn > MAX_STILLBORN) {
      this.#events.failed(asUserError(error))
      return
    }
    this.#threads[dead.worker - 1] = this.#start(dead.worker)
    const crawlUrls = [...dead.inFlight.values()].map(({ what }) => what)
    this.#events.died({ error, owner: dead.owner, crawlUrls, claims: dead.unreportedClaims })
    for (const { what } of dead.robots.values()) this.#askAgain(what, error)
    // Whatever killed the worker, it says nothing of the host.
    for (const host of dead.probes.keys()) this.#events.probed(host, {})
  }

  #askAgain(errand: RobotsErrand, error: Error): void {
    const { origin, url } = errand
    const deaths = (this.#robotsDeaths.get(origin) ?? 0) + 1
    this.#robotsDeaths.set(origin, deaths)
    if (deaths < MAX_ROBOTS_DEATHS) {
      this.ask(errand)
    } else {
      const reason = `${url}: ${error.message}`
      this.#events.robots(origin, { access: 'disallow-all', reason, passing: false })
    }
  }

  #roomOf(thread: WorkerThread): number {
    return Math.max(0, this.#roomPerWorker - thread.load)
  }

  #leastLoaded(): WorkerThread {
    return this.#threads.reduce((least, thread) => (thread.load < least.load ? thread : least))
  }
}

function oldestOf(asked: readonly Requested<{ readonly url: string }>[], max: number, now: number) {
  const oldest: Pending[] = asked
    .toSorted((a, b) => a.since - b.since)
    .slice(0, max)
    .map(({ what: { url }, since }) => ({ url, ms: now - since }))
  return { count: asked.length, oldest }
}

/** A CrawlerError of a worker crossed the thread border without its class. */
function asUserError(error: Error & { readonly kind?: unknown }): Error {
  if (error.kind === undefined) return error
  const kind: FailureKind = error.kind === 'output' ? 'output' : 'usage'
  return new CrawlerError(kind, error.message, { cause: error })
}
