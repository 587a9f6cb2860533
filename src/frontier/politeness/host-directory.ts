import type { RobotsAnswer } from '../../messages/messages.ts'
import type { Turns } from '../deterministic/settle-order.ts'
import type { HostRecord, HostStore, Parked } from '../sqlite/host-store.ts'
import type { ParkedHosts } from '../sqlite/parked-hosts.ts'
import { RuleShelf } from '../sqlite/rule-shelf.ts'
import type { UrlStore } from '../sqlite/url-store.ts'
import { Budget } from './budget.ts'
import { HostQueue } from './host-queue.ts'
import { HostRobots } from './host-robots.ts'
import type { Manners } from './politeness.ts'

/** Hosts in memory, where nothing else is said. */
const ENOUGH = 10_000

/** Where URLs of a host go. */
export interface Home {
  readonly id: number
  /** Undefined while the host is not in memory. */
  readonly queue?: HostQueue
}

/** All hosts: those that are active in memory, the others in the database. */
export class HostDirectory {
  readonly #hosts = new Map<string, HostQueue>()
  readonly #budgets = new Map<string, Budget>()
  readonly #store: HostStore
  readonly #shelf: RuleShelf
  readonly #parked: ParkedHosts
  readonly #urls: UrlStore
  readonly #manners: Manners
  readonly #turns: Turns | undefined
  /** Hosts that may be in memory. */
  readonly places: number
  #size: number

  constructor(
    store: HostStore,
    parked: ParkedHosts,
    urls: UrlStore,
    manners: Manners,
    turns?: Turns,
  ) {
    this.#turns = turns
    this.#store = store
    this.#shelf = new RuleShelf(store)
    this.#parked = parked
    this.#urls = urls
    this.#manners = manners
    this.places = manners.hostsInMemory ?? ENOUGH
    this.#size = store.count
  }

  /** How many were met so far. */
  get size(): number {
    return this.#size
  }

  get inMemory(): number {
    return this.#hosts.size
  }

  /** Those in memory. */
  get active(): Iterable<HostQueue> {
    return this.#hosts.values()
  }

  /** How many more may come into memory; negative when there are too many. */
  get room(): number {
    return this.places - this.#hosts.size
  }

  /** The queue of a host, brought into memory where it isn't: to be placed in the schedule. */
  of(key: string): HostQueue {
    const queue = this.#hosts.get(key)
    if (queue !== undefined) return queue
    const known = this.#store.find(key)
    return this.#bring(known ?? this.#meet(key), known?.parked)
  }

  /** Where a host is; one without URLs comes into memory when there is room, and nobody waits for that. */
  homeOf(key: string, now: number): Home {
    const queue = this.#hosts.get(key)
    if (queue !== undefined) return { id: queue.id, queue }
    const known = this.#store.find(key)
    const record = known ?? this.#meet(key)
    const mayCome = this.room > 0 && this.#parked.firstAt > now && known?.parked === undefined
    return { id: record.id, ...(mayCome && { queue: this.#bring(record) }) }
  }

  /** What all hosts at an address share. */
  budgetAt(address: string): Budget {
    const budget = this.#budgets.get(address) ?? new Budget()
    this.#budgets.set(address, budget)
    return budget
  }

  /** What robots.txt of an origin said when it was asked last; undefined where that is not known. */
  robotsOf(origin: string): RobotsAnswer | undefined {
    const answer = this.#store.robots(origin)?.answer
    return answer === undefined || 'failures' in answer ? undefined : answer
  }

  /** Writes down what has changed since the last time. */
  save(): void {
    for (const host of this.#hosts.values()) this.#save(host)
  }

  /** A host is made from what was kept of it. */
  activate(record: HostRecord): HostQueue {
    const { id } = record
    const robots = new HostRobots(id, this.#shelf, this.#store.robotsOf(id))
    const past = { record, robots }
    const host = new HostQueue(past, this.#urls, this.#manners, this.#turns)
    this.#hosts.set(record.key, host)
    return host
  }

  /** A host leaves memory. Nobody may hold on to it. */
  leave(host: HostQueue): void {
    this.#save(host)
    this.#hosts.delete(host.key)
  }

  #bring(record: HostRecord, parked?: Parked): HostQueue {
    this.#parked.takeUp(record.id, parked)
    return this.activate(record)
  }

  #meet(key: string): HostRecord {
    this.#size++
    return this.#store.insert(key)
  }

  #save(host: HostQueue): void {
    if (host.hasChanged) this.#store.update(host.record)
    for (const [origin, known] of host.robots.takeUnsaved()) {
      this.#store.putRobots(host.id, origin, known)
    }
  }
}
