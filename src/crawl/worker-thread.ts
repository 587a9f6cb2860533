import { Worker } from 'node:worker_threads'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type {
  CoordinatorMessage,
  Outcome,
  RobotsAnswer,
  WorkerMessage,
  WorkerSetup,
} from '../wire/messages.ts'

/** An outcome, and what was asked for. */
export interface Settled {
  readonly crawlUrl: CrawlUrl
  readonly outcome: Outcome
}

interface ThreadEvents {
  settled(settled: readonly Settled[]): void
  robots(origin: string, answer: RobotsAnswer): void
  ended(thread: WorkerThread, error: Error): void
}

// Nothing imports worker/: it is started by URL, from source or from the build.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
const ENTRY = new URL(`../worker/main${extension}`, import.meta.url)

/** One worker thread, and what it has in its hands. */
export class WorkerThread {
  readonly worker: number
  readonly owner: number
  readonly inFlight = new Map<number, CrawlUrl>()
  /** Origins whose robots.txt it fetches. */
  readonly asked = new Set<string>()
  readonly #thread: Worker
  readonly #events: ThreadEvents
  #error = new Error('the worker ended')

  constructor(setup: WorkerSetup, events: ThreadEvents) {
    this.worker = setup.worker
    this.owner = setup.owner
    this.#events = events
    this.#thread = new Worker(ENTRY, { workerData: setup, name: `worker ${setup.worker}` })
    this.#thread.on('message', (message: WorkerMessage) => this.#receive(message))
    this.#thread.on('error', (error: Error) => {
      this.#error = error
    })
    this.#thread.on('exit', () => events.ended(this, this.#error))
  }

  post(message: CoordinatorMessage): void {
    this.#thread.postMessage(message)
  }

  async terminate(): Promise<void> {
    await this.#thread.terminate()
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'robots') {
      this.asked.delete(message.origin)
      this.#events.robots(message.origin, message.answer)
      return
    }
    const settled = message.outcomes.flatMap((outcome) => this.#settle(outcome))
    this.#events.settled(settled)
  }

  #settle(outcome: Outcome): Settled[] {
    const crawlUrl = this.inFlight.get(outcome.id)
    this.inFlight.delete(outcome.id)
    return crawlUrl === undefined ? [] : [{ crawlUrl, outcome }]
  }
}
