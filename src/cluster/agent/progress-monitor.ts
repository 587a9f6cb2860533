import type { JobQueue } from '../job-queue.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobProgress } from './job-progress.ts'
import { leaseTimes } from './lease-times.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Milliseconds between the first two checks while this process has nothing to do. */
const MIN_PAUSE_MS = 10
/** Maximum milliseconds between two checks. */
const MAX_PAUSE_MS = 1_000
/** Minimum number of checks within the time of `--lease`. */
const CHECKS_PER_LEASE = 8
/**
 * Maximum number of checks by all processes together within the time of `--lease` that serve to notice expired leases.
 */
const CHECKS_FOR_ENDS = 64

/**
 * Checks the progress of the whole job. While this process has enough to do, it checks rarely. While the process waits,
 * the pauses between checks grow, but they get shorter when the current depth is about to end.
 */
export class ProgressMonitor {
  readonly #queue: Pick<JobQueue, 'watchPartitions' | 'mayHaveLostUrls'>
  readonly #frontier: SharedFrontier
  readonly #progress: JobProgress
  readonly #heartbeat: Pick<Heartbeat, 'agents' | 'beat'>
  readonly #lease: number
  readonly #maxPauseMs: number
  /** Number of URLs that could be handed out at the last check, and the time of that check. */
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

  /** Makes the next check due now: the job may have reached a new depth, or its end. */
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

  /** @returns false if lost URLs have to be pushed again first */
  async #view(depth: number): Promise<boolean> {
    const { ttl } = leaseTimes(this.#lease)
    // At the end of a depth, a second view follows at once to confirm it.
    for (let look = 1; look === 1 || (look === 2 && this.#progress.needsSecondLook); look++) {
      const views = await this.#queue.watchPartitions(depth, ttl)
      if (this.#queue.mayHaveLostUrls) return false
      this.#progress.update(views)
    }
    return true
  }

  async #apply(isNewDepth: boolean): Promise<void> {
    // Hosts that joined the scope have to be known before URLs of a new depth are handed out.
    if (isNewDepth) await this.#heartbeat.beat()
    this.#frontier.setProgress(this.#progress)
    const now = performance.now()
    const half = this.#timeToDepth(now) / 2
    this.#pauseMs = isNewDepth ? MIN_PAUSE_MS : Math.min(2 * this.#pauseMs, this.#maxPauseMs)
    const pause = Math.max(MIN_PAUSE_MS, Math.min(this.#pauseMs, half))
    const idle = this.#frontier.isHungry ? pause : this.#maxPauseMs
    this.#dueAt = isNewDepth ? 0 : now + Math.min(idle, this.#timeToEnd)
  }

  /**
   * Milliseconds until the first lease expires. If many leases expire one after the other, a lower bound keeps each
   * process from checking at each of them.
   */
  get #timeToEnd(): number {
    const share = (this.#lease * this.#heartbeat.agents) / CHECKS_FOR_ENDS
    return Math.max(MIN_PAUSE_MS, share, this.#progress.firstEnd + 1)
  }

  /** Estimates the milliseconds until the current depth is finished, from the progress since the last check. */
  #timeToDepth(now: number): number {
    const { open, at } = this.#last
    const left = this.#progress.openNow
    this.#last = { open: left, at: now }
    return left < open ? (left * (now - at)) / (open - left) : Number.POSITIVE_INFINITY
  }
}
