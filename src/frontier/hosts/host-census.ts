import type { ParkedHosts } from '../storage/parked-hosts.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostSchedule } from './host-schedule.ts'
import { type BusyHosts, busyHosts } from './host-stats.ts'
import type { Sleepers } from './sleepers.ts'

/** Counts the hosts of a frontier and shows what they are doing. */
export class HostCensus {
  readonly #hosts: HostDirectory
  readonly #parked: ParkedHosts
  readonly #schedule: HostSchedule

  constructor(hosts: HostDirectory, parked: ParkedHosts, schedule: HostSchedule) {
    this.#hosts = hosts
    this.#parked = parked
    this.#schedule = schedule
  }

  /** Number of known hosts. */
  get count(): number {
    return this.#hosts.size
  }

  /** Number of hosts in memory. */
  get inMemory(): number {
    return this.#hosts.inMemory
  }

  /** Returns the busiest, the slowest, the unreachable and the pausing hosts, at most `max` of each. */
  busy(max: number, now: number): BusyHosts {
    return busyHosts(this.#hosts.loaded, max, now)
  }

  /** Number of hosts in memory that have stopped answering, and are waited for. */
  get away(): number {
    let count = 0
    for (const host of this.#hosts.loaded) if (host.isAway) count++
    return count
  }

  /** Hosts that have URLs and may not be requested yet. */
  get sleepers(): Sleepers {
    const { sleeping, sleepers: known } = this.#schedule
    return { count: sleeping + this.#parked.size, known }
  }
}
