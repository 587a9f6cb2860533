import type { FetchWorker } from './fetch-worker.ts'
import { hashHost } from './hash-host.ts'

/** Hosts per worker from which on each host has a worker of its own: fewer could leave a worker with nothing to do. */
const MANY_HOSTS = 8

/** By how much more than the least loaded worker the worker of a host may have to do, as a share of the concurrency. */
const MAX_IMBALANCE = 0.25

/** URLs that wait for which another worker is worth its start: that takes as long as some hundred pages. */
const WORTH_A_START = 300

/** The URLs that the frontier has. */
export interface QueuedUrls {
  /** Number of URLs that wait to be assigned. */
  readonly waiting: number
  readonly hosts: {
    /** Number of known hosts. */
    readonly count: number
  }
}

interface ChoiceOptions {
  /** The most workers that may run. */
  readonly workers: number
  /** Requests that each makes at a time. */
  readonly concurrency: number
  readonly overload: { readonly isBusy: boolean }
}

/** Chooses the worker that gets a URL, and tells when another one is needed for it. */
export class WorkerChoice {
  readonly #threads: readonly FetchWorker[]
  readonly #queue: QueuedUrls
  readonly #options: ChoiceOptions

  /** @param threads the workers that run, now and later */
  constructor(threads: readonly FetchWorker[], queue: QueuedUrls, options: ChoiceOptions) {
    this.#threads = threads
    this.#queue = queue
    this.#options = options
  }

  /**
   * Returns the worker for a URL. Where there are many hosts, each has a worker of its own, as long as that has not much
   * more to do than others: so fewer connections are opened, and kept open, and less is known twice.
   */
  workerFor({ url }: { readonly url: string }): FetchWorker {
    const freest = this.leastLoaded()
    if (this.#queue.hosts.count < MANY_HOSTS * this.#threads.length) return freest
    const own = this.#threads[hashHost(url) % this.#threads.length] ?? freest
    return own.load <= freest.load + MAX_IMBALANCE * this.#options.concurrency ? own : freest
  }

  /** Returns the worker with the fewest requests. */
  leastLoaded(): FetchWorker {
    return this.#threads.reduce((least, thread) => (thread.load < least.load ? thread : least))
  }

  /**
   * Returns whether another worker is to be started before the next URL is assigned: it would wait in all of these. Not
   * for a short queue while they are busy: they are done with it before another one has started.
   */
  get needsAnother(): boolean {
    const { workers, concurrency, overload } = this.#options
    if (this.#threads.length === workers || this.leastLoaded().load < concurrency) return false
    return !overload.isBusy || this.#queue.waiting >= WORTH_A_START
  }
}
