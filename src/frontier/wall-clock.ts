/** Milliseconds that the two clocks may drift apart before that is more than the pace of a clock that is set slowly. */
const MAX_DRIFT_MS = 1_000

/**
 * Turns times of the monotonic clock into milliseconds since 1970, and back. Times are kept in the latter, for
 * the next process has another monotonic clock. Within a process they hold by the monotonic one: it is never
 * set, but it stands still while the machine is suspended.
 */
export class WallClock {
  #offset: number = performance.timeOrigin

  constructor() {
    this.takeShift()
  }

  /** Never earlier: a host is not to be asked before its time. */
  toEpoch(monotonic: number): number {
    return Math.ceil(this.#offset + monotonic)
  }

  fromEpoch(ms: number): number {
    return ms - this.#offset
  }

  /**
   * Returns by how many milliseconds the wall clock was set since the last call, or went on while the machine was
   * suspended: what was kept before is to be moved by so much.
   */
  takeShift(): number {
    const drift = Date.now() - performance.now() - this.#offset
    if (Math.abs(drift) < MAX_DRIFT_MS) return 0
    const shift = Math.round(drift)
    this.#offset += shift
    return shift
  }
}
