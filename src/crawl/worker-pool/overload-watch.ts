/** Milliseconds between two looks at the workers. */
const LOOK_MS = 100

/** Looks in a row that must show too much work: a worker is busy for a moment when it compiles its code. */
const LOOKS = 3

/** Share of its time for which a worker is busy that can do no more. */
const BUSY = 0.8

/** A worker, as far as its work is concerned. */
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
  /** True if requests wait for `--rate` or `--bandwidth`, and not for servers. */
  readonly isThrottled: boolean
}

/**
 * Tells when another worker is needed: the running ones are busy all the time, or all of their requests wait for slow
 * servers. A start costs a tenth of a second of CPU, and a crawl of a few pages, or of one polite host, needs one worker.
 */
export class OverloadWatch {
  readonly #workers: readonly Workload[]
  readonly #concurrency: number
  readonly #isThrottled: boolean
  readonly #overloaded: () => void
  readonly #timer: NodeJS.Timeout
  #isBusy = true
  #looks = 0

  /**
   * @param workers those that run, now and later
   * @param overloaded called each time that another worker is needed
   */
  constructor(
    workers: readonly Workload[],
    { concurrency, isThrottled }: WatchOptions,
    overloaded: () => void,
  ) {
    this.#workers = workers
    this.#concurrency = concurrency
    this.#isThrottled = isThrottled
    this.#overloaded = overloaded
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** False if the last look showed that all requests of the workers wait for servers, and no worker has started since. */
  get isBusy(): boolean {
    return this.#isBusy || !this.#areReady
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const areBusy = this.#areBusy()
    this.#isBusy = areBusy || this.#isThrottled || !this.#areFull(this.#concurrency)
    this.#looks = areBusy ? this.#looks + 1 : 0
    // URLs of other servers would wait behind those of slow ones.
    const doUrlsWait = !this.isBusy && this.#areFull(this.#concurrency + 1)
    if (this.#looks < LOOKS && !doUrlsWait) return
    this.#looks = 0
    this.#overloaded()
  }

  get #areReady(): boolean {
    return this.#workers.every(({ isReady }) => isReady)
  }

  /** Returns whether all have so many requests. */
  #areFull(requests: number): boolean {
    return this.#workers.every(({ load }) => load >= requests)
  }

  /** Returns whether all have been busy since the last call. */
  #areBusy(): boolean {
    return this.#workers.map((worker) => isBusy(worker)).every(Boolean)
  }
}

function isBusy(worker: Workload): boolean {
  const share = worker.takeBusyShare()
  return worker.isReady && worker.load > 1 && share > BUSY
}
