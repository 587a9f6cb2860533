/** Milliseconds, of a clock that goes on while the machine is suspended. */
interface Clock {
  readonly now: number
}

/** Looks that are taken within a lease. */
const LOOKS = 4
/** Milliseconds between two of them at most. */
const MAX_PAUSE_MS = 1_000

/**
 * Notices that the process was away: stopped, suspended, or too busy to look at the clock. Others may hold by
 * now what it held.
 */
export class AbsenceDetector {
  readonly #clock: Clock
  readonly #lease: number
  #seenAt: number
  #longest = 0
  #timer: NodeJS.Timeout | undefined

  /** @param lease milliseconds of absence that do no harm */
  constructor(clock: Clock, lease: number) {
    this.#clock = clock
    this.#lease = lease
    this.#seenAt = clock.now
  }

  /** Whether there was one that was not told yet. */
  get wasAbsent(): boolean {
    return this.#longest > 0
  }

  /** Looks at the clock from time to time. */
  watch(): void {
    const pause = Math.min(this.#lease / LOOKS, MAX_PAUSE_MS)
    this.#timer = setInterval(() => this.check(), pause).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  check(): void {
    const { now } = this.#clock
    const gap = now - this.#seenAt
    this.#seenAt = now
    if (gap > this.#lease) this.#longest = Math.max(this.#longest, gap)
  }

  /** Returns for how many milliseconds it was away since the last call; 0 when it was not. */
  take(): number {
    const longest = this.#longest
    this.#longest = 0
    return longest
  }
}
