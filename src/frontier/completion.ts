import type { Books } from './frontier-tables.ts'
import type { Lease } from './in-flight.ts'
import type { HostReport } from './politeness/host-health.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import type { HostSchedule } from './politeness/host-schedule.ts'
import { STATE, type State } from './sqlite/tables.ts'

/** How URLs in flight come to their end, and their hosts are free again. */
export class Endings {
  readonly #books: Books
  readonly #schedule: HostSchedule

  constructor(books: Books, schedule: HostSchedule) {
    this.#books = books
    this.#schedule = schedule
  }

  /** The URL is finished. */
  settle(lease: Lease, state: State, now: number): void {
    const before = this.#books.unfinished.shallowest
    this.#books.leases.settle(lease, state)
    if (this.#books.unfinished.shallowest > before) {
      this.#books.outlinks.dropUpTo(this.#books.unfinished.shallowest)
    }
    if (lease.isAnswered === true) this.#schedule.place(lease.host, now)
    else this.answered(lease.host, now)
  }

  /** A request to a host has ended. */
  answered(host: HostQueue, now: number): void {
    host.answered(now)
    this.#schedule.freed(host, now)
  }

  /** A URL was answered that will be settled when its turn comes: its host need not wait for that. */
  early(id: number, report: HostReport, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined || lease.isAnswered === true) return
    lease.host.report(report, now)
    this.#books.leases.answer(lease)
    this.answered(lease.host, now)
  }

  /** Whether the host of a URL that is in flight went to another process meanwhile. */
  isLost(id: number): boolean {
    return this.#books.leases.get(id)?.isLost === true
  }

  /**
   * Drops a URL whose host was given up while it was in flight; false when the host is sound, or answered this one
   * before it went away.
   */
  dropLost(id: number, now: number): boolean {
    const lease = this.#books.leases.get(id)
    if (lease === undefined || lease.host.failure === undefined) return false
    if (lease.host.availability.isAway) return false
    this.settle(lease, STATE.hostFailed, now)
    return true
  }

  /** Drops a URL that was in flight when it turned out to be a trap; false when it is none. */
  dropTrap(id: number, now: number): boolean {
    const lease = this.#books.leases.get(id)
    if (lease === undefined || lease.crawlUrl.depth === 0) return false
    if (this.#books.traps?.admit(lease.crawlUrl.url, lease.host.key) !== 'trap') return false
    this.settle(lease, STATE.skipped, now)
    return true
  }

  /** Admits URLs whose turn has come, at most so many at a time. */
  admit(limit: number, now: number): void {
    for (const key of this.#books.turns?.admit(limit) ?? []) {
      this.#schedule.place(this.#books.hosts.of(key), now)
    }
  }
}
