/** Drift of the two clocks, in milliseconds, below which the wall clock is taken to be adjusted slowly, not set. */
const MAX_DRIFT_MS = 1_000

/**
 * Converts times of the monotonic clock into milliseconds since 1970, and back. Stored times are milliseconds
 * since 1970, because the next process has another monotonic clock. Within a process the monotonic clock counts:
 * nobody sets it, but it stands still while the machine is suspended.
 */
export class WallClock {
  #offset: number = performance.timeOrigin

  constructor() {
    this.takeShift()
  }

  /** Returns milliseconds since 1970, rounded up: no host is requested before its time. */
  toEpoch(monotonic: number): number {
    return Math.ceil(this.#offset + monotonic)
  }

  /** Returns a time of the monotonic clock. */
  fromEpoch(ms: number): number {
    return ms - this.#offset
  }

  /**
   * Returns by how many milliseconds the wall clock was set since the last call, or went on while the machine was
   * suspended. Times stored before have to be moved by as much.
   */
  takeShift(): number {
    const drift = Date.now() - performance.now() - this.#offset
    if (Math.abs(drift) < MAX_DRIFT_MS) return 0
    const shift = Math.round(drift)
    this.#offset += shift
    return shift
  }
}
