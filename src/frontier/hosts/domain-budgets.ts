import { domainOfHostKey } from '../../url/registrable-domain.ts'
import type { DomainStore } from '../storage/domain-store.ts'

/** The number of pages that may be requested from all hosts of a registrable domain together. */
export class DomainBudget {
  readonly #limit: number
  readonly #before: number
  #pages: number
  /** Number of its hosts in memory. */
  hosts = 0

  constructor(limit: number, pages: number) {
    this.#limit = limit
    this.#before = pages
    this.#pages = pages
  }

  get pages(): number {
    return this.#pages
  }

  get hasChanged(): boolean {
    return this.#pages !== this.#before
  }

  /** Returns whether no further page may be requested. */
  get isSpent(): boolean {
    return this.#pages >= this.#limit
  }

  /** Counts a page. */
  spend(): void {
    this.#pages++
  }

  /** Takes back the count of a page that was not requested. */
  refund(): void {
    this.#pages--
  }
}

/** The budgets of registrable domains. A budget is in memory while a host of its domain is, otherwise in the table. */
export class DomainBudgets {
  readonly #table: DomainStore
  readonly #limit: number
  readonly #counts = new Map<string, DomainBudget>()

  /** @param limit maximum pages per domain */
  constructor(table: DomainStore, limit: number) {
    this.#table = table
    this.#limit = limit
  }

  /** Number of domains in memory. */
  get size(): number {
    return this.#counts.size
  }

  /** Returns the budget of a host that is loaded into memory. */
  enter(hostKey: string): DomainBudget {
    const domain = domainOfHostKey(hostKey)
    const count = this.#counts.get(domain) ?? new DomainBudget(this.#limit, this.#table.get(domain))
    this.#counts.set(domain, count)
    count.hosts++
    return count
  }

  /** Notes that a host leaves memory. */
  leave(hostKey: string): void {
    const domain = domainOfHostKey(hostKey)
    const count = this.#counts.get(domain)
    if (count === undefined) return
    count.hosts--
    if (count.hosts > 0) return
    this.#counts.delete(domain)
    if (count.hasChanged) this.#table.put(domain, count.pages)
  }
}
