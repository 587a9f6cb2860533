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
  readonly #budgets = new Map<string, DomainBudget>()

  /** @param limit maximum pages per domain */
  constructor(table: DomainStore, limit: number) {
    this.#table = table
    this.#limit = limit
  }

  /** Returns the budget of a host that is loaded into memory. */
  enter(hostKey: string): DomainBudget {
    const domain = domainOfHostKey(hostKey)
    const budget =
      this.#budgets.get(domain) ?? new DomainBudget(this.#limit, this.#table.get(domain))
    this.#budgets.set(domain, budget)
    budget.hosts++
    return budget
  }

  /** Notes that a host leaves memory. */
  leave(hostKey: string): void {
    const domain = domainOfHostKey(hostKey)
    const budget = this.#budgets.get(domain)
    if (budget === undefined) return
    budget.hosts--
    if (budget.hosts > 0) return
    this.#budgets.delete(domain)
    if (budget.hasChanged) this.#table.put(domain, budget.pages)
  }
}
