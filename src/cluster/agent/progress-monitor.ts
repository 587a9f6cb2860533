import type { JobQueue } from '../job-queue.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobProgress } from './job-progress.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Milliseconds between two checks while this process has nothing to do: at first, and at most. */
const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 100
/** Milliseconds between two checks while it has enough to do. */
const BUSY_PAUSE_MS = 1_000

/** Checks how far the whole job is: seldom while this process has enough to do, more often while it waits. */
export class ProgressMonitor {
  readonly #queue: JobQueue
  readonly #frontier: SharedFrontier
  readonly #progress: JobProgress
  readonly #heartbeat: Heartbeat
  #dueAt = 0
  #pauseMs = MIN_PAUSE_MS
  #wasHungry = false

  constructor(
    queue: JobQueue,
    frontier: SharedFrontier,
    progress: JobProgress,
    heartbeat: Heartbeat,
  ) {
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
    // The second look at the end of a depth follows at once.
    for (let look = 1; look === 1 || (look === 2 && this.#progress.needsSecondLook); look++) {
      const views = await this.#queue.viewPartitions(depth)
      if (this.#queue.mayHaveLostUrls) return false
      this.#progress.update(views)
    }
    return true
  }

  async #apply(isNewDepth: boolean): Promise<void> {
    // The scope has to be known before URLs of a new depth are handed out.
    if (isNewDepth) await this.#heartbeat.beat()
    this.#frontier.setProgress(this.#progress.open, this.#progress.isComplete)
    this.#pauseMs = isNewDepth ? MIN_PAUSE_MS : Math.min(2 * this.#pauseMs, MAX_PAUSE_MS)
    const pause = this.#frontier.isHungry ? this.#pauseMs : BUSY_PAUSE_MS
    this.#dueAt = isNewDepth ? 0 : performance.now() + pause
  }
}
