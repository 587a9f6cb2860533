import type { JobQueue } from '../job-queue.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobProgress } from './job-progress.ts'
import { leaseTimes } from './lease-times.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Milliseconds between two checks while this process has nothing to do, at first. */
const MIN_PAUSE_MS = 10
/** Milliseconds between two checks at most, and how many there are at least in the time of a lease. */
const MAX_PAUSE_MS = 1_000
const CHECKS_PER_LEASE = 8
/** Checks of all processes together within the time of a lease, at most, to notice the ends of leases. */
const CHECKS_FOR_ENDS = 64

/**
 * Checks how far the whole job is: seldom while this process has enough to do. While it waits, it checks the less
 * often the longer it waits, and more often when the present depth is about to end.
 */
export class ProgressMonitor {
  readonly #queue: Pick<JobQueue, 'watchPartitions' | 'mayHaveLostUrls'>
  readonly #frontier: SharedFrontier
  readonly #progress: JobProgress
  readonly #heartbeat: Pick<Heartbeat, 'agents' | 'beat'>
  readonly #lease: number
  readonly #maxPauseMs: number
  /** Number of URLs that could be handed out at the last check, and when that was. */
  #last = { open: 0, at: 0 }
  #dueAt = 0
  #pauseMs = MIN_PAUSE_MS
  #wasHungry = false

  /** @param lease milliseconds of `--lease` */
  constructor(
    queue: Pick<JobQueue, 'watchPartitions' | 'mayHaveLostUrls'>,
    frontier: SharedFrontier,
    progress: JobProgress,
    heartbeat: Pick<Heartbeat, 'agents' | 'beat'>,
    lease: number,
  ) {
    this.#lease = lease
    this.#maxPauseMs = Math.min(MAX_PAUSE_MS, lease / CHECKS_PER_LEASE)
    this.#queue = queue
    this.#frontier = frontier
    this.#progress = progress
    this.#heartbeat = heartbeat
  }

  /** Time of the next check, in milliseconds of the monotonic clock. */
  get dueAt(): number {
    return this.#dueAt
  }

  /** Makes the next check due: the job may have reached a new depth, or its end. */
  checkSoon(): void {
    this.#pauseMs = MIN_PAUSE_MS / 2
    this.#dueAt = 0
  }

  /** Checks the job if that is due, or if this process has just run out of URLs. */
  async check(now: number): Promise<void> {
    const { isHungry } = this.#frontier
    if (isHungry && !this.#wasHungry) this.checkSoon()
    this.#wasHungry = isHungry
    if (now < this.#dueAt) return
    const { depth } = this.#progress
    if (await this.#view(depth)) await this.#apply(this.#progress.depth > depth)
  }

  /** @returns false when lost URLs have to be pushed again first */
  async #view(depth: number): Promise<boolean> {
    const { ttl } = leaseTimes(this.#lease)
    // The second look at the end of a depth follows at once.
    for (let look = 1; look === 1 || (look === 2 && this.#progress.needsSecondLook); look++) {
      const views = await this.#queue.watchPartitions(depth, ttl)
      if (this.#queue.mayHaveLostUrls) return false
      this.#progress.update(views)
    }
    return true
  }

  async #apply(isNewDepth: boolean): Promise<void> {
    // The scope has to be known before URLs of a new depth are handed out.
    if (isNewDepth) await this.#heartbeat.beat()
    this.#frontier.setProgress(this.#progress.open, this.#progress.isComplete)
    const now = performance.now()
    const half = this.#timeToDepth(now) / 2
    this.#pauseMs = isNewDepth ? MIN_PAUSE_MS : Math.min(2 * this.#pauseMs, this.#maxPauseMs)
    const pause = Math.max(MIN_PAUSE_MS, Math.min(this.#pauseMs, half))
    const idle = this.#frontier.isHungry ? pause : this.#maxPauseMs
    this.#dueAt = isNewDepth ? 0 : now + Math.min(idle, this.#timeToEnd)
  }

  /** Milliseconds until a lease ends, but not so few that each process calls at each of many ends. */
  get #timeToEnd(): number {
    const share = (this.#lease * this.#heartbeat.agents) / CHECKS_FOR_ENDS
    return Math.max(MIN_PAUSE_MS, share, this.#progress.firstEnd + 1)
  }

  /** Returns the milliseconds until the present depth ends, if the job goes on as it did since the last check. */
  #timeToDepth(now: number): number {
    const { open, at } = this.#last
    const left = this.#progress.openNow
    this.#last = { open: left, at: now }
    return left < open ? (left * (now - at)) / (open - left) : Number.POSITIVE_INFINITY
  }
}
