import { fnvHash } from '../../hashing/fnv-hash.ts'
import { mixBits } from '../../hashing/mix-bits.ts'
import { pathStart } from '../../url/origin.ts'
import type { FetchWorker } from './fetch-worker.ts'

/** Number of hosts per worker from which on each host keeps to one worker. With fewer, a worker might have none. */
const MANY_HOSTS = 8

/** Maximum load of a host's worker above that of the least loaded worker, as a share of the concurrency. */
const MAX_IMBALANCE = 0.25

/** Number of waiting URLs that are worth the start of another worker, which takes as long as a few hundred pages. */
const WORTH_A_START = 300

/** The counts of the frontier that the choice depends on. */
export interface QueuedUrls {
  /** Number of URLs that wait to be assigned. */
  readonly waiting: number
  readonly hosts: {
    /** Number of known hosts. */
    readonly count: number
  }
}

interface ChoiceOptions {
  /** Maximum number of workers. */
  readonly workers: number
  /** Requests that each worker makes at a time. */
  readonly concurrency: number
  readonly overload: { readonly isBusy: boolean }
}

/** Chooses the worker for a URL, and decides when another worker is needed. */
export class WorkerChoice {
  readonly #threads: readonly FetchWorker[]
  readonly #queue: QueuedUrls
  readonly #options: ChoiceOptions

  /** @param threads the running workers. The caller adds those that start later */
  constructor(threads: readonly FetchWorker[], queue: QueuedUrls, options: ChoiceOptions) {
    this.#threads = threads
    this.#queue = queue
    this.#options = options
  }

  /**
   * Returns the worker for a URL. If there are many hosts, each keeps to one worker, unless that has much more to do
   * than others. So fewer connections are opened and kept open, and fewer facts are cached in several workers.
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
   * True if another worker should start before the next URL is assigned, since the URL would have to wait in each
   * running worker. False if workers are busy and the queue is short: they finish it before another one has started.
   */
  get needsAnother(): boolean {
    const { workers, concurrency, overload } = this.#options
    if (this.#threads.length === workers || this.leastLoaded().load < concurrency) return false
    return !overload.isBusy || this.#queue.waiting >= WORTH_A_START
  }
}

/** Returns a hash of the host and port of a canonical URL, 0 to 2^32 - 1. */
export function hashHost(url: string): number {
  return mixBits(fnvHash(url, url.indexOf('//') + 2, pathStart(url))) >>> 0
}
