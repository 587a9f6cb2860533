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

/**
 * Tells when the running workers have too much to do: a start costs a tenth of a second of CPU, and a crawl of a few
 * pages, or of one polite host, needs one worker.
 */
export class OverloadWatch {
  readonly #workers: readonly Workload[]
  readonly #concurrency: number
  readonly #overloaded: () => void
  readonly #timer: NodeJS.Timeout
  #isBusy = true
  #looks = 0

  /**
   * @param workers those that run, now and later
   * @param concurrency requests that each makes at a time
   * @param overloaded called each time that all were busy for a while, or that requests wait in all without that
   */
  constructor(workers: readonly Workload[], concurrency: number, overloaded: () => void) {
    this.#workers = workers
    this.#concurrency = concurrency
    this.#overloaded = overloaded
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** True if all workers were busy at the last look, or have yet to be ready. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const isStarting = this.#workers.some(({ isReady }) => !isReady)
    const areBusy = this.#areBusy()
    this.#isBusy = areBusy || isStarting
    this.#looks = areBusy ? this.#looks + 1 : 0
    // Behind slow servers, which other servers have nothing to do with.
    const doRequestsWait = this.#workers.every(({ load }) => load > this.#concurrency)
    if (this.#looks < LOOKS && (this.#isBusy || !doRequestsWait)) return
    this.#looks = 0
    this.#overloaded()
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
