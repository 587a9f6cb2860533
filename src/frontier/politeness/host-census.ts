import type { Books } from '../frontier-tables.ts'
import type { HostSchedule } from './host-schedule.ts'
import { type BusyHosts, busyHosts } from './host-stats.ts'
import type { Sleepers } from './host-waits.ts'

/** How many hosts a frontier knows, and what they are at. */
export class HostCensus {
  readonly #books: Books
  readonly #schedule: HostSchedule

  constructor(books: Books, schedule: HostSchedule) {
    this.#books = books
    this.#schedule = schedule
  }

  get count(): number {
    return this.#books.hosts.size
  }

  /** How many of them are in memory. */
  get inMemory(): number {
    return this.#books.hosts.inMemory
  }

  /** Those that have something to do: the busiest and the slowest, so many of each. */
  busy(max: number, now: number): BusyHosts {
    return busyHosts(this.#books.hosts.active, max, now)
  }

  /** How many of those in memory have stopped answering, and are waited for. */
  get away(): number {
    let count = 0
    for (const host of this.#books.hosts.active) if (host.isAwaited) count++
    return count
  }

  /** Those that wait for their time. */
  get sleepers(): Sleepers {
    const { sleeping, sleepers: known } = this.#schedule
    return { count: sleeping + this.#books.parked.size, known }
  }
}
