import { WallClock } from '../../frontier/wall-clock.ts'

/**
 * A clock for leases. It never goes back, and it goes on while the machine is suspended, when the monotonic clock
 * stands still. When the wall clock is set forward, leases seem to have ended, and are asked for anew.
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
