import type { ResourceLimits } from 'node:worker_threads'
import { CrawlerError, type FailureKind } from '../../errors.ts'
import type { Claim } from '../../messages/claim-log.ts'
import type {
  CoordinatorMessage,
  ProbeReply,
  ProbeRequest,
  RobotsReply,
  RobotsRequest,
  SetCookies,
} from '../../messages/messages.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { leanLimits } from '../../runtime/v8-limits.ts'
import { type PendingRequest, type UrlOutcome, WorkerThread } from './worker-thread.ts'

/** A worker that died, and its unfinished work. */
export interface WorkerDeath {
  readonly error: Error
  /** Number of the thread. */
  readonly owner: number
  /** URLs that were assigned to it. */
  readonly crawlUrls: readonly CrawlUrl[]
  /** Its claims for them that it has not reported. */
  readonly claims: readonly Claim[]
}

/** Requests of one kind that have no reply yet. */
export interface PendingSummary {
  readonly count: number
  /** Some of them, the oldest first, with their age in milliseconds. */
  readonly oldest: readonly { readonly url: string; readonly ms: number }[]
}

/** Events of the workers. */
export interface PoolEvents {
  /** Runs the effects of an event, now or later: until then its request counts as in flight. */
  pass(event: () => void): void
  outcomes(outcomes: readonly UrlOutcome[]): void
  robots(origin: string, reply: RobotsReply): void
  probed(host: string, reply: ProbeReply): void
  /** A site set cookies. The other workers have them already. */
  cookies(message: SetCookies): void
  /** A worker runs. @param heapLimit maximum size of its heap in bytes */
  ready(heapLimit: number): void
  /** A worker died, and was replaced. */
  died(death: WorkerDeath): void
  /** No worker can run. */
  failed(error: Error): void
}

/** Threads in a row that may end before they run our code. */
const MAX_STILLBORN = 10

/** A robots.txt that kills this many workers counts as unreachable. */
const MAX_ROBOTS_DEATHS = 4

/**
 * The fetch workers: started once, and replaced when they die. Each gets up to twice as many URLs as it fetches at a
 * time, so that it never waits for the coordinator.
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

  /** Number of URLs that are assigned to workers. */
  get inFlight(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.inFlight, 0)
  }

  /** True when no worker has a request. */
  get isIdle(): boolean {
    return this.#threads.every(({ load }) => load === 0)
  }

  /** Number of URLs that are assigned to each worker, from worker 1. */
  get loads(): readonly number[] {
    return this.#threads.map(({ inFlight }) => inFlight)
  }

  /** Number of URLs that can be assigned now. */
  get room(): number {
    return this.#threads.reduce((sum, thread) => sum + this.#roomOf(thread), 0)
  }

  /** Assigns URLs to workers, the least loaded first; at most as many as there is `room` for. */
  assign(crawlUrls: readonly CrawlUrl[]): void {
    const now = performance.now()
    for (const crawlUrl of crawlUrls) this.#leastLoaded().assign(crawlUrl, now)
    for (const thread of this.#threads) thread.send()
  }

  /** Requests a robots.txt, or finds out whether a host answers. */
  request(request: RobotsRequest | ProbeRequest): void {
    this.#leastLoaded().request(request)
  }

  /** Summarizes the requests that have no reply yet, with at most `max` of each kind. */
  pending(max: number, now: number): Record<'requests' | 'robots', PendingSummary> {
    const requests = this.#threads.flatMap(({ hostRequests }) => hostRequests)
    const robots = this.#threads.flatMap(({ robotsRequests }) => robotsRequests)
    return { requests: summarize(requests, max, now), robots: summarize(robots, max, now) }
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
      outcomes: (outcomes) => this.#events.outcomes(outcomes),
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
    const { owner, crawlUrls, unreportedClaims: claims } = dead
    this.#events.died({ error, owner, crawlUrls, claims })
    for (const { request } of dead.robotsRequests) this.#requestAgain(request, error)
    // The death of a worker says nothing about the host.
    for (const host of dead.probedHosts) this.#events.probed(host, {})
  }

  #requestAgain(request: RobotsRequest, error: Error): void {
    const { origin, url } = request
    const deaths = (this.#robotsDeaths.get(origin) ?? 0) + 1
    this.#robotsDeaths.set(origin, deaths)
    if (deaths < MAX_ROBOTS_DEATHS) {
      this.request(request)
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

function summarize(
  pending: readonly PendingRequest<{ readonly url: string }>[],
  max: number,
  now: number,
): PendingSummary {
  const oldest = pending
    .toSorted((a, b) => a.since - b.since)
    .slice(0, max)
    .map(({ request: { url }, since }) => ({ url, ms: now - since }))
  return { count: pending.length, oldest }
}

/** Restores a CrawlerError of a worker, which crossed the thread border without its class. */
function asUserError(error: Error & { readonly kind?: unknown }): Error {
  if (error.kind === undefined) return error
  const kind: FailureKind = error.kind === 'output' ? 'output' : 'usage'
  return new CrawlerError(kind, error.message, { cause: error })
}
