import { WallClock } from '../../runtime/wall-clock.ts'

/**
 * A clock for leases. It never goes back, and it keeps running while the machine is suspended, when the monotonic clock
 * stops. If the wall clock is set forward, leases seem to have expired, and are requested again.
 */
export class SuspendProofClock {
  readonly #wall = new WallClock()
  #suspended = 0

  /** The time in milliseconds. */
  get now(): number {
    this.#suspended += Math.max(0, this.#wall.takeShift())
    return performance.now() + this.#suspended
  }
}
