import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { CoordinatorMessage, RobotsAnswer, WorkerSetup } from '../wire/messages.ts'
import { type Settled, WorkerThread } from './worker-thread.ts'

/** What the pool tells the coordinator. */
export interface PoolEvents {
  settled(settled: readonly Settled[]): void
  robots(origin: string, answer: RobotsAnswer): void
  /** A worker died with these URLs in its hands; another took its place. */
  died(crawlUrls: readonly CrawlUrl[], owner: number, error: Error): void
  /** Workers die one after the other without doing anything. */
  hopeless(error: Error): void
}

/** Deaths in a row, without an outcome between them, that are taken for more than bad luck. */
const MAX_BARREN_DEATHS = 10

/**
 * The fetch workers: started once, replaced when one dies. Each holds up to twice as many URLs as
 * it fetches at a time, so that it never waits for the coordinator.
 */
export class WorkerPool {
  readonly #setup: (worker: number, owner: number) => WorkerSetup
  readonly #events: PoolEvents
  readonly #threads: WorkerThread[] = []
  readonly #roomPerWorker: number
  #owners = 0
  #barrenDeaths = 0
  #closing = false

  constructor(
    size: number,
    concurrency: number,
    setup: (worker: number, owner: number) => WorkerSetup,
    events: PoolEvents,
  ) {
    this.#setup = setup
    this.#events = events
    this.#roomPerWorker = 2 * concurrency
    for (let worker = 1; worker <= size; worker++) this.#threads.push(this.#start(worker))
  }

  get inFlight(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.inFlight.size, 0)
  }

  /** URLs that can be assigned now. */
  get room(): number {
    return this.#threads.reduce((sum, thread) => sum + this.#roomOf(thread), 0)
  }

  /** Spreads URLs over the workers, the least loaded first; no more than there is `room` for. */
  assign(crawlUrls: readonly CrawlUrl[]): void {
    const shares = new Map<WorkerThread, CrawlUrl[]>()
    for (const crawlUrl of crawlUrls) {
      const thread = this.#leastLoaded()
      thread.inFlight.set(crawlUrl.id, crawlUrl)
      const share = shares.get(thread)
      if (share === undefined) shares.set(thread, [crawlUrl])
      else share.push(crawlUrl)
    }
    for (const [thread, share] of shares) thread.post({ type: 'visit', crawlUrls: share })
  }

  askRobots(origin: string): void {
    const thread = this.#leastLoaded()
    thread.asked.add(origin)
    thread.post({ type: 'robots', origin })
  }

  broadcast(message: CoordinatorMessage): void {
    for (const thread of this.#threads) thread.post(message)
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #start(worker: number): WorkerThread {
    const setup = this.#setup(worker, ++this.#owners)
    return new WorkerThread(setup, {
      settled: (settled) => {
        this.#barrenDeaths = 0
        this.#events.settled(settled)
      },
      robots: (origin, answer) => this.#events.robots(origin, answer),
      ended: (thread, error) => this.#replace(thread, error),
    })
  }

  #replace(dead: WorkerThread, error: Error): void {
    if (this.#closing) return
    if (++this.#barrenDeaths > MAX_BARREN_DEATHS) {
      this.#events.hopeless(error)
      return
    }
    this.#threads[dead.worker - 1] = this.#start(dead.worker)
    this.#events.died([...dead.inFlight.values()], dead.owner, error)
    for (const origin of dead.asked) this.askRobots(origin)
  }

  #roomOf(thread: WorkerThread): number {
    return Math.max(0, this.#roomPerWorker - thread.inFlight.size)
  }

  #leastLoaded(): WorkerThread {
    return this.#threads.reduce((least, thread) =>
      thread.inFlight.size < least.inFlight.size ? thread : least,
    )
  }
}
