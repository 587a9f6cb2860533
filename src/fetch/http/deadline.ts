/** A time limit that does not run while it is paused. */
export class Deadline {
  readonly #onLate: () => void
  #timer: NodeJS.Timeout | undefined
  /** Milliseconds left when it last began to run. */
  #left: number
  readonly #started = performance.now()
  #since = this.#started
  #isPaused = false
  #pausedMs = 0

  /** @param onLate called once, after `ms` milliseconds */
  constructor(ms: number, onLate: () => void) {
    this.#onLate = onLate
    this.#left = ms
    this.#timer = setTimeout(onLate, ms)
  }

  /** Milliseconds for which it has run so far. */
  get activeMs(): number {
    return performance.now() - this.#started - this.pausedMs
  }

  /** Milliseconds for which it was paused so far. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#isPaused ? performance.now() - this.#since : 0)
  }

  /** Adds milliseconds to the limit while it runs. */
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

  /** Runs on after a pause. */
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
