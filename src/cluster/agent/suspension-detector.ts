/** A clock in milliseconds that keeps running while the machine is suspended. */
interface Clock {
  readonly now: number
}

/** Number of checks within the length of a lease. */
const CHECKS = 4
/** Maximum milliseconds between two checks. */
const MAX_PAUSE_MS = 1_000

/**
 * Detects that this process was stopped, suspended, or too busy to check the clock. Other processes may have taken over
 * its hosts meanwhile.
 */
export class SuspensionDetector {
  readonly #clock: Clock
  readonly #lease: number
  #checkedAt: number
  #longest = 0
  #timer: NodeJS.Timeout | undefined

  /** @param lease maximum milliseconds of an absence that does no harm */
  constructor(clock: Clock, lease: number) {
    this.#clock = clock
    this.#lease = lease
    this.#checkedAt = clock.now
  }

  /** True if there was an absence since the last `take`. */
  get wasAbsent(): boolean {
    return this.#longest > 0
  }

  /** Starts to check the clock at regular intervals. */
  watch(): void {
    const pause = Math.min(this.#lease / CHECKS, MAX_PAUSE_MS)
    this.#timer = setInterval(() => this.check(), pause).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  check(): void {
    const { now } = this.#clock
    const gap = now - this.#checkedAt
    this.#checkedAt = now
    if (gap > this.#lease) this.#longest = Math.max(this.#longest, gap)
  }

  /** Returns the length of the longest absence since the last call, in milliseconds; 0 for none. */
  take(): number {
    const longest = this.#longest
    this.#longest = 0
    return longest
  }
}
