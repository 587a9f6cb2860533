import { detachedCopy } from '../../encoding/detached-copy.ts'
import type { RobotsAnswer } from '../../messages/from-worker.ts'
import { withoutPort } from '../../url/host-key.ts'
import type { LevelOrder } from '../deterministic/level-order.ts'
import type { FrontierTables } from '../storage/frontier-tables.ts'
import type { HostStore } from '../storage/host-store.ts'
import type { ParkedHosts } from '../storage/parked-hosts.ts'
import type { HostRecord, ParkedAs } from '../storage/stored-host.ts'
import type { UrlStore } from '../storage/url-store.ts'
import { ConnectionShare } from './connection-share.ts'
import { DomainBudgets } from './domain-budgets.ts'
import { AddressLoad } from './host-load.ts'
import { HostQueue } from './host-queue.ts'
import { HostRobots } from './host-robots.ts'
import { LargeRules } from './large-rules.ts'
import type { PolitenessOptions } from './politeness-options.ts'

/**
 * Default of the maximum number of hosts in memory: more than a process of a job leases. A host takes some kilobytes,
 * and more with rules of robots.txt. Loading a host and removing it takes about 30 µs.
 */
const MAX_IN_MEMORY = 5_000

/** The host of a URL that was found. */
export interface UrlHost {
  readonly id: number
  /** Undefined while the host is not in memory. */
  readonly queue?: HostQueue
}

/** All hosts. The loaded ones are in memory, the others only in the database. */
export class HostDirectory {
  readonly #hosts = new Map<string, HostQueue>()
  readonly #addresses = new Map<string, AddressLoad>()
  readonly #table: HostStore
  readonly #parked: ParkedHosts
  readonly #urls: UrlStore
  readonly #largeRules: LargeRules
  readonly share: ConnectionShare
  readonly #domains: DomainBudgets | undefined
  readonly #options: PolitenessOptions
  readonly #order: LevelOrder | undefined
  /** Maximum number of hosts in memory. */
  readonly capacity: number
  #size: number

  constructor(
    { hosts, parked, urls, domains }: Pick<FrontierTables, 'hosts' | 'parked' | 'urls' | 'domains'>,
    options: PolitenessOptions,
    order: LevelOrder | undefined,
  ) {
    this.#table = hosts
    this.#parked = parked
    this.#urls = urls
    this.#largeRules = new LargeRules(hosts)
    const { workers = Number.POSITIVE_INFINITY, concurrency = 1 } = options
    this.share = new ConnectionShare(workers * concurrency, options.queuedPerHost)
    const { maxPerDomain: limit } = options
    this.#domains =
      domains === undefined || limit === undefined ? undefined : new DomainBudgets(domains, limit)
    this.#options = options
    this.#order = order
    this.capacity = options.hostsInMemory ?? MAX_IN_MEMORY
    this.#size = hosts.count
  }

  /** Number of known hosts. */
  get size(): number {
    return this.#size
  }

  get inMemory(): number {
    return this.#hosts.size
  }

  /** The hosts in memory. */
  get loaded(): Iterable<HostQueue> {
    return this.#hosts.values()
  }

  /** Number of hosts that memory still has room for; negative if there are too many. */
  get room(): number {
    return this.capacity - this.#hosts.size
  }

  /** Returns the queue of a host, loaded into memory if necessary. The caller must place it in the schedule. */
  load(key: string): HostQueue {
    const queue = this.#hosts.get(key)
    if (queue !== undefined) return queue
    const known = this.#table.find(key)
    return this.#load(known ?? this.#add(key), known?.parked)
  }

  /**
   * Returns the host of a URL. Loads the host into memory if it has no waiting URLs, there is room, and no parked host
   * is due.
   */
  hostOf(key: string, now: number): UrlHost {
    const queue = this.#hosts.get(key)
    if (queue !== undefined) return { id: queue.id, queue }
    const mayCome = this.room > 0 && this.#parked.firstAt > now
    if (!mayCome) return { id: this.#table.idOf(key) ?? this.#add(key).id }
    const known = this.#table.find(key)
    const record = known ?? this.#add(key)
    return { id: record.id, ...(known?.parked === undefined && { queue: this.#load(record) }) }
  }

  /** Returns the load that all hosts at an address share. */
  loadAt(address: string): AddressLoad {
    const load = this.#addresses.get(address) ?? new AddressLoad()
    this.#addresses.set(address, load)
    return load
  }

  /** Returns the last robots.txt of an origin; undefined if it is not known. */
  robotsOf(origin: string): RobotsAnswer | undefined {
    const answer = this.#table.robots(origin)?.answer
    return answer === undefined || 'failures' in answer ? undefined : answer
  }

  /** Stores all changes since the last call. */
  save(): void {
    for (const host of this.#hosts.values()) this.#save(host)
  }

  /** Loads a host into memory that was taken from the parked ones. */
  loadTaken(record: HostRecord): HostQueue {
    const { id, key } = record
    const robots = new HostRobots(id, this.#largeRules, this.#table.robotsOf(id))
    const domain = this.#domains?.enter(key)
    const state = { record, robots, share: this.share, domain }
    const host = new HostQueue(state, this.#urls, this.#optionsFor(key), this.#order)
    this.#hosts.set(key, host)
    return host
  }

  /** Removes a host from memory: no reference to it may be kept. */
  leave(host: HostQueue): void {
    this.#save(host)
    this.#hosts.delete(host.key)
    this.#domains?.leave(host.key)
  }

  /** Returns the options for a host, which may have a pause of its own. */
  #optionsFor(key: string): PolitenessOptions {
    const { hostDelay = {} } = this.#options
    let host = withoutPort(key)
    while (host !== '') {
      const delay = Object.hasOwn(hostDelay, host) ? hostDelay[host] : undefined
      if (delay !== undefined) return { ...this.#options, delay }
      host = /\.(.+)/.exec(host)?.[1] ?? ''
    }
    return this.#options
  }

  #load(record: HostRecord, parked?: ParkedAs): HostQueue {
    this.#parked.noteLoaded(record.id, parked)
    return this.loadTaken(record)
  }

  #add(key: string): HostRecord {
    this.#size++
    // The key is a slice of a URL, which is a slice of a whole message: a copy lets the message be freed.
    return this.#table.insert(detachedCopy(key))
  }

  #save(host: HostQueue): void {
    if (host.hasChanged) this.#table.update(host.takeRecord())
    for (const [origin, known] of host.robots.takeUnsaved()) {
      this.#table.putRobots(host.id, origin, known)
    }
  }
}
