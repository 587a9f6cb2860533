import type { Turns } from '../turns.ts'
import type { UrlStore } from '../urls/url-store.ts'
import { Budget } from './budget.ts'
import { HostQueue } from './host-queue.ts'
import type { HostRecord, HostStore } from './host-store.ts'
import type { Manners } from './manners.ts'

/** Hosts in memory from which on those that have nothing to do leave it. */
const ENOUGH = 10_000

/** All hosts: those that have something to do in memory, the others in the database. */
export class HostDirectory {
  readonly #hosts = new Map<string, HostQueue>()
  readonly #budgets = new Map<string, Budget>()
  readonly #store: HostStore
  readonly #urls: UrlStore
  readonly #manners: Manners
  readonly #turns: Turns | undefined
  #size: number
  #sweepAt = ENOUGH

  constructor(store: HostStore, urls: UrlStore, manners: Manners, turns?: Turns) {
    this.#turns = turns
    this.#store = store
    this.#urls = urls
    this.#manners = manners
    this.#size = store.count
  }

  /** How many were met so far. */
  get size(): number {
    return this.#size
  }

  /** Those in memory. */
  get active(): Iterable<HostQueue> {
    return this.#hosts.values()
  }

  /** The queue of a host, made when it is met for the first time. */
  of(key: string): HostQueue {
    const active = this.#hosts.get(key)
    if (active !== undefined) return active
    return this.#activate(this.#store.find(key) ?? this.#meet(key), 0)
  }

  /** Brings a host back that has URLs waiting. */
  revive(id: number, waiting: number): HostQueue | undefined {
    const record = this.#store.get(id)
    return record && this.#activate(record, waiting)
  }

  /** What all hosts at an address share. */
  budgetAt(address: string): Budget {
    const budget = this.#budgets.get(address) ?? new Budget()
    this.#budgets.set(address, budget)
    return budget
  }

  /** Writes down what has changed since the last time. */
  save(): void {
    for (const host of this.#hosts.values()) this.#save(host)
  }

  /**
   * Lets those leave that have nothing to do, when there are many. Nobody else may hold on to a host
   * of this kind.
   */
  sweep(now: number): void {
    if (this.#hosts.size < this.#sweepAt) return
    for (const [key, host] of this.#hosts) {
      if (!host.isIdle(now)) continue
      this.#save(host)
      this.#hosts.delete(key)
    }
    // As many again may come before the next look.
    this.#sweepAt = Math.max(ENOUGH, 2 * this.#hosts.size)
  }

  #meet(key: string): HostRecord {
    this.#size++
    return this.#store.insert(key)
  }

  #activate(record: HostRecord, waiting: number): HostQueue {
    const robots = this.#store.robotsOf(record.id)
    const past = { record, robots, waiting }
    const host = new HostQueue(past, this.#urls, this.#manners, this.#turns)
    this.#hosts.set(record.key, host)
    return host
  }

  #save(host: HostQueue): void {
    if (host.hasChanged) this.#store.update(host.record)
    for (const [origin, known] of host.robots.takeUnsaved()) {
      this.#store.putRobots(host.id, origin, known)
    }
  }
}
