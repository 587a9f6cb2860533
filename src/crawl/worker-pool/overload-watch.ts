import { cpus } from 'node:os'

/** Milliseconds between two looks at the workers. */
const LOOK_MS = 100

/** Looks in a row that must show too much work: a worker is busy for a moment when it compiles its code. */
const LOOKS = 5

/** Share of its time for which a worker is busy that can do no more. */
const BUSY = 0.8

/** The same for one that has as many requests as it may: where it is busy for less, it mostly waits for servers. */
const BUSY_IF_FULL = 0.5

/**
 * Seconds of CPU that the queue must be worth where no processor is free. A further worker takes 0.4 s until its code is
 * compiled, and shares the processors with the server and the main thread: with two for all of them, two workers took
 * as long as one for 10,000 pages, which are 2 s, and 0.86 of its time for 60,000.
 */
const LONG_QUEUE_S = 5

/** Looks in a row after which more pages are expected to come, however short the queue is. */
const MANY_LOOKS = 50

/** A worker, as far as its work is concerned. */
interface Workload {
  readonly isReady: boolean
  /** Number of its requests. */
  readonly load: number
  /** Number of requests that it has ever had. */
  readonly taken: number
  /** Returns the share of the time since the last call for which it was busy: 0 to 1. */
  takeBusyShare(): number
}

/** The state of a crawl at a look, when all workers were busy. */
interface Look {
  /** Requests that the workers have ever had. */
  readonly taken: number
  /** CPU time of the process, in µs. */
  readonly cpu: number
  /** Milliseconds for which processors had nothing to do, summed over all of them. */
  readonly idle: number
  /** Milliseconds of the monotonic clock. */
  readonly at: number
}

/**
 * Tells when another worker pays: its start costs a tenth of a second of CPU, and a crawl of a few pages, or of one
 * polite host, needs one worker.
 */
export class OverloadWatch {
  readonly #workers: readonly Workload[]
  readonly #concurrency: number
  readonly #queue: { readonly unfinished: number }
  readonly #timer: NodeJS.Timeout
  /** The last looks in a row that showed no worker with time left. */
  #busyLooks: Look[] = []

  /**
   * @param workers those that run, now and later
   * @param concurrency requests at a time in each
   * @param queue the URLs that are not done
   * @param overloaded called each time that another worker would pay
   */
  constructor(
    workers: readonly Workload[],
    concurrency: number,
    queue: { readonly unfinished: number },
    overloaded: () => void,
  ) {
    this.#workers = workers
    this.#concurrency = concurrency
    this.#queue = queue
    this.#timer = setInterval(() => {
      if (!this.#look()) return
      this.#busyLooks = []
      overloaded()
    }, LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Returns whether another worker would pay. */
  #look(): boolean {
    const areBusy = this.#workers.map((worker) => this.#isBusy(worker)).every(Boolean)
    if (areBusy) {
      this.#busyLooks.push(lookAt(this.#workers))
      return this.#isMuchLeft()
    }
    this.#busyLooks = []
    // Their requests wait for slow hosts, and with them URLs of other hosts.
    return this.#workers.every((worker) => worker.isReady && this.#isFull(worker))
  }

  #isBusy(worker: Workload): boolean {
    const share = worker.takeBusyShare()
    const least = this.#isFull(worker) ? BUSY_IF_FULL : BUSY
    return worker.isReady && worker.load > 1 && share > least
  }

  #isFull({ load }: Workload): boolean {
    return load >= this.#concurrency
  }

  #isMuchLeft(): boolean {
    const first = this.#busyLooks.at(-LOOKS)
    const last = this.#busyLooks.at(-1)
    if (first === undefined || last === undefined) return false
    if (this.#busyLooks.length >= MANY_LOOKS || hasFreeProcessor(first, last)) return true
    const perRequest = (last.cpu - first.cpu) / (last.taken - first.taken)
    return this.#queue.unfinished * perRequest > LONG_QUEUE_S * 1_000_000
  }
}

function lookAt(workers: readonly Workload[]): Look {
  const { user, system } = process.cpuUsage()
  return {
    taken: workers.reduce((sum, worker) => sum + worker.taken, 0),
    cpu: user + system,
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0),
    at: performance.now(),
  }
}

/** Returns whether a processor's worth of time was left between two looks. */
function hasFreeProcessor(first: Look, last: Look): boolean {
  return last.idle - first.idle >= last.at - first.at
}
