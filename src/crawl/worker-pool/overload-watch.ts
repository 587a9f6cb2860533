/** Milliseconds between two checks of the workers. */
const CHECK_MS = 100

/** Number of checks in a row that must find all workers busy: a worker is also busy while it compiles its code. */
const MIN_BUSY_CHECKS = 3

/** Share of busy time from which on a worker has no capacity left. */
const BUSY = 0.8

interface Workload {
  readonly isReady: boolean
  /** Number of its requests. */
  readonly load: number
  /** Returns the share of the time since the last call for which it was busy: 0 to 1. */
  takeBusyShare(): number
}

interface WatchOptions {
  /** Requests that each worker makes at a time. */
  readonly concurrency: number
  /** True if requests wait for `--rate` or `--bandwidth` rather than for servers. */
  readonly isThrottled: boolean
}

/**
 * Notices when another worker is needed: the running ones are busy all the time, or all of their requests wait for slow
 * servers. Workers don't all start at once, since a start costs 0.1 s of CPU time, and one worker is enough to crawl a
 * few pages, or one host politely.
 */
export class OverloadWatch {
  readonly #workers: readonly Workload[]
  readonly #options: WatchOptions
  readonly #overloaded: () => void
  readonly #timer: NodeJS.Timeout
  #isBusy = true
  #busyChecks = 0

  /**
   * @param workers the running workers. The caller adds those that start later
   * @param overloaded called each time that another worker is needed
   */
  constructor(workers: readonly Workload[], options: WatchOptions, overloaded: () => void) {
    this.#workers = workers
    this.#options = options
    this.#overloaded = overloaded
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  /** False if all workers are ready, and the last check found that all of their requests wait for servers. */
  get isBusy(): boolean {
    return this.#isBusy || !this.#areReady
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const { concurrency, isThrottled } = this.#options
    const areBusy = this.#areBusy()
    this.#isBusy = areBusy || isThrottled || !this.#areFull(concurrency)
    this.#busyChecks = areBusy ? this.#busyChecks + 1 : 0
    // URLs of other servers would wait behind those of slow ones.
    const doUrlsWait = !this.isBusy && this.#areFull(concurrency + 1)
    if (this.#busyChecks < MIN_BUSY_CHECKS && !doUrlsWait) return
    this.#busyChecks = 0
    this.#overloaded()
  }

  get #areReady(): boolean {
    return this.#workers.every(({ isReady }) => isReady)
  }

  /** Returns whether each worker has at least this number of requests. */
  #areFull(requests: number): boolean {
    return this.#workers.every(({ load }) => load >= requests)
  }

  /** Returns whether all workers have been busy since the last call. */
  #areBusy(): boolean {
    return this.#workers.map((worker) => isBusy(worker)).every(Boolean)
  }
}

function isBusy(worker: Workload): boolean {
  const share = worker.takeBusyShare()
  return worker.isReady && worker.load > 1 && share > BUSY
}
