import type { Partitions } from '../redis/partitions.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { SafeDepth } from './safe-depth.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Milliseconds between two looks while there is nothing to do: at first, and at most. */
const SHORTEST_MS = 10
const LONGEST_MS = 100
/** The same while there is enough to do. */
const BUSY_MS = 1_000

/** Sees how far the whole job is: seldom while this process has enough to do, more often while it waits. */
export class CompletionMonitor {
  readonly #partitions: Partitions
  readonly #frontier: SharedFrontier
  readonly #horizon: SafeDepth
  readonly #heartbeat: Heartbeat
  #dueAt = 0
  #pauseMs = SHORTEST_MS
  #wasHungry = false

  constructor(
    partitions: Partitions,
    frontier: SharedFrontier,
    horizon: SafeDepth,
    heartbeat: Heartbeat,
  ) {
    this.#partitions = partitions
    this.#frontier = frontier
    this.#horizon = horizon
    this.#heartbeat = heartbeat
  }

  /** When the next look is due, in milliseconds of the monotonic clock. */
  get dueAt(): number {
    return this.#dueAt
  }

  /** The job may have come to a new depth, or to its end. */
  checkSoon(): void {
    this.#pauseMs = SHORTEST_MS / 2
    this.#dueAt = 0
  }

  /** Looks where that is due, as it is when there is nothing left to do here. */
  async check(now: number): Promise<void> {
    const { isHungry } = this.#frontier
    if (isHungry && !this.#wasHungry) this.checkSoon()
    this.#wasHungry = isHungry
    if (now < this.#dueAt) return
    const { depth } = this.#horizon
    if (await this.#see(depth)) await this.#heed(this.#horizon.depth > depth)
  }

  /** @returns false when what is enqueued may not be there yet: that comes first */
  async #see(depth: number): Promise<boolean> {
    // At the end of a depth the second look is taken at once.
    for (let look = 1; look === 1 || (look === 2 && this.#horizon.needsSecondLook); look++) {
      const views = await this.#partitions.look(depth)
      if (this.#partitions.mayHaveLostUrls) return false
      this.#horizon.update(views)
    }
    return true
  }

  async #heed(isNewDepth: boolean): Promise<void> {
    // Whoever hands out URLs of a new depth has to know the scope that they lie in.
    if (isNewDepth) await this.#heartbeat.beat()
    this.#frontier.queuedInJob = this.#horizon.open
    this.#frontier.isOver ||= this.#horizon.isOver && !this.#frontier.hasNews
    this.#pauseMs = isNewDepth ? SHORTEST_MS : Math.min(2 * this.#pauseMs, LONGEST_MS)
    const pause = this.#frontier.isHungry ? this.#pauseMs : BUSY_MS
    this.#dueAt = isNewDepth ? 0 : performance.now() + pause
  }
}
