/** A time limit that does not run while it is paused. */
export class Deadline {
  readonly #onLate: () => void
  #timer: NodeJS.Timeout | undefined
  /** Milliseconds left when it last began to run. */
  #left: number
  #since = performance.now()
  #pausedMs = 0

  /** @param onLate called once, after `ms` milliseconds */
  constructor(ms: number, onLate: () => void) {
    this.#onLate = onLate
    this.#left = ms
    this.#timer = setTimeout(onLate, ms)
  }

  /** Milliseconds for which it was paused. */
  get pausedMs(): number {
    return this.#pausedMs
  }

  pause(): void {
    const now = performance.now()
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left -= now - this.#since
    this.#since = now
  }

  /** Runs on after a pause. */
  resume(): void {
    const now = performance.now()
    this.#pausedMs += now - this.#since
    this.#since = now
    this.#timer = setTimeout(this.#onLate, Math.max(1, this.#left))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
