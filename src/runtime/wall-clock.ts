/**
 * Minimum drift between the two clocks, in milliseconds, that shows that the wall clock was set. A smaller drift is
 * ignored: the system adjusts its clock gradually.
 */
const MIN_DRIFT_MS = 1_000

/**
 * Converts times of the monotonic clock into milliseconds since 1970, and back. Stored times are milliseconds
 * since 1970, because the next process has another monotonic clock. A process itself uses the monotonic clock: it
 * is never set, but it stops while the machine is suspended.
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
   * Returns by how many milliseconds the wall clock was set since the last call, or advanced while the machine was
   * suspended. Times that were stored before must be shifted by this much.
   */
  takeShift(): number {
    const drift = Date.now() - performance.now() - this.#offset
    if (Math.abs(drift) < MIN_DRIFT_MS) return 0
    const shift = Math.round(drift)
    this.#offset += shift
    return shift
  }
}
