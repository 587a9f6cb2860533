/** A time limit whose clock can be paused. */
export class Deadline {
  readonly #onLate: () => void
  #timer: NodeJS.Timeout | undefined
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
    this.#timer = setTimeout(onLate, ms)
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
    this.#since = now
    this.#timer = setTimeout(this.#onLate, Math.max(1, this.#left))
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
    this.#since = now
    this.#isPaused = false
    this.#timer = setTimeout(this.#onLate, Math.max(1, this.#left))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
