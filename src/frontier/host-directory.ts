import type { DatabaseSync } from 'node:sqlite'
import { Budget } from './budget.ts'
import { HostQueue } from './host-queue.ts'
import type { Manners } from './manners.ts'
import type { UrlStore } from './url-store.ts'

/** All hosts met so far, by their keys. */
export class HostDirectory {
  readonly #hosts = new Map<string, HostQueue>()
  readonly #budgets = new Map<string, Budget>()
  readonly #insert
  readonly #urls: UrlStore
  readonly #manners: Manners

  constructor(database: DatabaseSync, urls: UrlStore, manners: Manners) {
    this.#insert = database.prepare('INSERT INTO hosts (id, key) VALUES (?, ?)')
    this.#urls = urls
    this.#manners = manners
  }

  get size(): number {
    return this.#hosts.size
  }

  /** The queue of a host, made when it is met for the first time. */
  of(key: string): HostQueue {
    const known = this.#hosts.get(key)
    if (known !== undefined) return known
    const id = this.#hosts.size + 1
    this.#insert.run(id, key)
    const host = new HostQueue(id, key, this.#urls, this.#manners)
    this.#hosts.set(key, host)
    return host
  }

  /** What all hosts at an address share. */
  budgetAt(address: string): Budget {
    const budget = this.#budgets.get(address) ?? new Budget()
    this.#budgets.set(address, budget)
    return budget
  }
}
