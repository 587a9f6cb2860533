import { WallClock } from '../../frontier/wall-clock.ts'

/**
 * A clock for leases: it never goes back, and it goes on while the machine is suspended, when the monotonic one
 * stands still. A wall clock that is set forward looks the same: then leases are taken for ended that are not,
 * and asked for anew.
 */
export class LeaseClock {
  readonly #wall = new WallClock()
  #suspended = 0

  /** Milliseconds. */
  get now(): number {
    this.#suspended += Math.max(0, this.#wall.takeShift())
    return performance.now() + this.#suspended
  }
}
