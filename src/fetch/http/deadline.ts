/** Milliseconds by which a timer is late if the process was stopped, or if its thread was blocked. */
const MIN_ABSENCE_MS = 1_000

/** A time limit whose clock can be paused. */
export class Deadline {
  readonly #onLate: () => void
  #timer: NodeJS.Timeout
  /** Milliseconds that were left at `#since`. */
  #left: number
  readonly #started = performance.now()
  #since = this.#started
  #isPaused = false
  #pausedMs = 0

  /** @param onLate called once, when the time limit is over */
  constructor(ms: number, onLate: () => void) {
    this.#onLate = onLate
    this.#left = ms
    this.#timer = setTimeout(Deadline.#check, ms, this)
  }

  /** Milliseconds since the start, without pauses. */
  get activeMs(): number {
    return performance.now() - this.#started - this.pausedMs
  }

  /** Milliseconds of all pauses so far. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#isPaused ? performance.now() - this.#since : 0)
  }

  /** Adds milliseconds to the limit. Must not be called during a pause. */
  extend(ms: number): void {
    const now = performance.now()
    clearTimeout(this.#timer)
    this.#left += ms - (now - this.#since)
    this.#count(now)
  }

  pause(): void {
    const now = performance.now()
    clearTimeout(this.#timer)
    this.#isPaused = true
    this.#left -= now - this.#since
    this.#since = now
  }

  resume(): void {
    const now = performance.now()
    this.#pausedMs += now - this.#since
    this.#isPaused = false
    this.#count(now)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }

  /** Counts the milliseconds that are left, from now on. */
  #count(now: number): void {
    this.#since = now
    this.#left = Math.max(1, this.#left)
    this.#timer = setTimeout(Deadline.#check, this.#left, this)
  }

  /**
   * Ends the time limit. If the process was absent meanwhile, counts again instead: the response may have arrived, but
   * nothing has read it yet.
   */
  static #check(deadline: Deadline): void {
    const now = performance.now()
    const isAbsent = now - deadline.#since > deadline.#left + MIN_ABSENCE_MS
    if (isAbsent) deadline.#count(now)
    else deadline.#onLate()
  }
}
