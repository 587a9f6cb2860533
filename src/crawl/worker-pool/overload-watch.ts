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
  readonly #timer: NodeJS.Timeout
  #looks = 0

  /**
   * @param workers those that run, now and later
   * @param overloaded called each time that all were busy for a while
   */
  constructor(workers: readonly Workload[], overloaded: () => void) {
    this.#workers = workers
    this.#timer = setInterval(() => {
      this.#looks = this.#areBusy() ? this.#looks + 1 : 0
      if (this.#looks < LOOKS) return
      this.#looks = 0
      overloaded()
    }, LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
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
