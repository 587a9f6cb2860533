import type { LeaseReport, LeaseRequest, PushedUrl } from '../job-queue.ts'
import { sum } from '../partition-counts.ts'
import type { HostLease } from './host-lease.ts'
import { urlsOfEachHost } from './host-leases.ts'
import type { JobProgress } from './job-progress.ts'
import type { LeaseTimes } from './lease-times.ts'
import type { ExchangedQueue } from './rollback-aware-queue.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Hosts to take of a partition. */
type Wanted = Pick<LeaseRequest, 'hosts' | 'onlyOrphans' | 'batch'>

/** A request to one partition. */
export interface PartitionRequest extends Wanted, Pick<LeaseRequest, 'held' | 'others'> {
  readonly partition: number
}

const NOTHING: Wanted = { hosts: 0, onlyOrphans: false, batch: 0 }

/** Sums over the replies to some requests. */
interface ExchangeResult {
  /** Number of hosts that were taken. */
  readonly taken: number
  /** Number of URLs that were dropped because they were seen before. */
  readonly known: number
}

/** The current needs of this process and of the others. */
interface ExchangeNeeds {
  /** Number of hosts for each process if all processes lease equally many. */
  readonly share: number
  /** Number of processes that take part, including those that died recently. */
  readonly agents: number
  /** True if processes need hosts that others lease. */
  readonly isAnyHungry: boolean
}

/** Maximum number of hosts to take in one cycle: enough that hosts of one page each keep many workers busy. */
const MAX_HOSTS_AT_ONCE = 256
/** Maximum number of these hosts in one partition. It is limited because a server serves nobody else meanwhile. */
const MAX_HOSTS_OF_PARTITION = 32
/** Maximum number of URLs of these hosts together. */
const MAX_URLS_AT_ONCE = 4_096
/** Maximum number of URLs to take of each of these hosts at first. */
const FIRST_BATCH = 64
/** Maximum number of hosts that a process leases. With a delay of a second, it can request as many pages per second. */
export const MAX_LEASED_HOSTS = 4_000

/** Exchanges leases and URLs between this process and the shared queue. */
export class LeaseExchange {
  readonly #queue: ExchangedQueue
  readonly #frontier: SharedFrontier
  readonly #agent: string
  readonly #times: LeaseTimes
  readonly #progress: JobProgress
  /**
   * Partitions from which hosts were requested. They may have leased hosts to this process in replies that were lost.
   */
  readonly #requested = new Set<number>()
  /** Time at which the leases of these partitions are compared, in milliseconds of the lease clock. */
  #compareAt = 0
  /** The views of the partitions to which the next two fields refer. */
  #views: JobProgress['views'] = []
  /** True if hosts were already chosen from these views. */
  #areUsed = true
  /**
   * Number of hosts that each partition has leased to this process since; infinite if it leased fewer than requested.
   */
  readonly #given = new Map<number, number>()
  #outageCount = 0

  constructor(
    queue: ExchangedQueue,
    frontier: SharedFrontier,
    progress: JobProgress,
    agent: string,
    times: LeaseTimes,
  ) {
    this.#queue = queue
    this.#frontier = frontier
    this.#progress = progress
    this.#agent = agent
    this.#times = times
  }

  /** Returns true if the last views show hosts to take and none were chosen from them yet. */
  canTake(needs: ExchangeNeeds): boolean {
    this.#updateViews()
    return !this.#areUsed && this.#chooseHosts(needs).size > 0
  }

  /** Milliseconds until the first lease has to be renewed. */
  get renewalIn(): number {
    const { ttl, renewAfter } = this.#times
    const { clock, firstEnd } = this.#frontier.leases
    return firstEnd - ttl + renewAfter - clock.now
  }

  /** Pushes URLs to their partitions, concurrently. */
  async push(found: readonly PushedUrl[]): Promise<void> {
    const shares = Map.groupBy(found, ({ host }) => this.#queue.partitionOf(host))
    await Promise.all([...shares].map(([partition, urls]) => this.#queue.push(partition, urls)))
  }

  /**
   * Returns the requests to run now.
   * @param renews true to renew leases although none is due
   */
  plan(needs: ExchangeNeeds, now: number, renews: boolean): PartitionRequest[] {
    this.#updateViews()
    const { leases } = this.#frontier
    if (needs.isAnyHungry) leases.shrinkTo(maxOf(needs))
    const wanted = this.#chooseHosts(needs)
    this.#areUsed = true
    const isRenewal = renews || this.renewalIn <= 0
    const compared = this.#toCompare(isRenewal)
    const { held, others } = this.#reports(isRenewal, now)
    const partitions = new Set([...wanted.keys(), ...held.keys(), ...compared])
    return [...partitions].map((partition) => ({
      ...{ partition, held: held.get(partition) ?? [] },
      ...(compared.has(partition) && { others: others.get(partition) ?? [] }),
      ...(wanted.get(partition) ?? NOTHING),
    }))
  }

  /** Releases all hosts here, and returns the requests that give them back. */
  returnAll(now: number): PartitionRequest[] {
    const held = new Map<number, LeaseReport[]>()
    for (const lease of this.#frontier.leases.all) this.#report(lease, now, true, held)
    return [...held].map(([partition, hosts]) => {
      return { partition, held: hosts, ...NOTHING }
    })
  }

  /** Runs the requests concurrently. */
  async run(requests: readonly PartitionRequest[]): Promise<ExchangeResult> {
    const results = await Promise.all(requests.map((request) => this.#run(request)))
    return {
      taken: sum(results.map(({ taken }) => taken)),
      known: sum(results.map(({ known }) => known)),
    }
  }

  /** Returns the reports on hosts by partition, and the names of all other leased hosts. */
  #reports(isRenewal: boolean, now: number) {
    const { leases } = this.#frontier
    const held = new Map<number, LeaseReport[]>()
    const others = new Map<number, string[]>()
    const { ttl, renewAfter } = this.#times
    // Leases that are due soon are renewed together with the first one, in the same calls.
    const dueUntil = leases.clock.now + ttl - renewAfter / 2
    for (const lease of leases.all) {
      const isDone = leases.isDone(lease)
      const isDue = isRenewal && lease.until <= dueUntil
      if (isDue || isDone || leases.hasNews(lease)) this.#report(lease, now, isDone, held)
      else others.set(lease.partition, [...(others.get(lease.partition) ?? []), lease.host])
    }
    return { held, others }
  }

  /** Returns the partitions that may have leased hosts to this process without its knowledge. */
  #toCompare(isRenewal: boolean): ReadonlySet<number> {
    const { outageCount, partitionCount } = this.#queue
    const { now } = this.#frontier.leases.clock
    if (outageCount !== this.#outageCount && isRenewal) {
      // A server that took the place of another may still have older leases.
      this.#outageCount = outageCount
      return new Set(Array.from({ length: partitionCount }, (_, partition) => partition))
    }
    if (now < this.#compareAt) return new Set()
    this.#compareAt = now + this.#times.ttl / 3
    return new Set(this.#requested)
  }

  #updateViews(): void {
    if (this.#views === this.#progress.views) return
    this.#views = this.#progress.views
    this.#areUsed = false
    this.#given.clear()
  }

  async #run(request: PartitionRequest): Promise<ExchangeResult> {
    const { partition, ...wanted } = request
    const { hosts, others, batch } = wanted
    if (hosts > 0) this.#requested.add(partition)
    const { clock, longestPause } = this.#frontier.leases
    const sentAt = clock.now
    const { ttl } = this.#times
    const reply = await this.#queue.exchange(partition, {
      ...wanted,
      ...{ agent: this.#agent, ttl, longestPause },
      maxDepth: this.#progress.depth,
      batch: Math.min(batch, urlsOfEachHost(this.#frontier.leases.size + hosts)),
    })
    if (others !== undefined && hosts === 0) this.#requested.delete(partition)
    this.#frontier.leases.applyReply(partition, reply, sentAt + ttl, performance.now())
    const taken = reply.hosts.filter(({ robots }) => robots !== undefined).length
    const given = this.#given.get(partition) ?? 0
    this.#given.set(partition, taken < hosts ? Number.POSITIVE_INFINITY : given + taken)
    return { taken, known: reply.known }
  }

  #report(lease: HostLease, now: number, release: boolean, held: Map<number, LeaseReport[]>): void {
    const report = this.#frontier.leases.report(lease, now, release)
    if (release) this.#frontier.leases.lose(lease.host, now)
    held.set(lease.partition, [...(held.get(lease.partition) ?? []), report])
  }

  /**
   * Chooses hosts that seem to be free. Hosts of dead processes come first. Even processes that have enough to do take
   * those: each takes its part of them.
   */
  #chooseHosts(needs: ExchangeNeeds): Map<number, Wanted> {
    const { isPaused, leases, needsHosts } = this.#frontier
    if (isPaused) return new Map()
    const { agents } = needs
    const all = sum(this.#views.map(({ orphans }) => orphans))
    const part = Math.min(Math.ceil(all / Math.max(1, agents - 1)), MAX_HOSTS_AT_ONCE)
    const orphans = this.#choose(Math.min(part, MAX_LEASED_HOSTS - leases.size), 'orphans')
    const taken = sum([...orphans.values()])
    const room = Math.min(MAX_HOSTS_AT_ONCE - taken, maxOf(needs) - leases.size - taken)
    const free = needsHosts ? this.#choose(room, 'free', orphans) : new Map<number, number>()
    const hosts = taken + sum([...free.values()])
    const batch = Math.min(FIRST_BATCH, Math.ceil(MAX_URLS_AT_ONCE / hosts))
    const chosen = [...new Set([...orphans.keys(), ...free.keys()])].map((partition) => {
      const [first, further] = [orphans.get(partition) ?? 0, free.get(partition) ?? 0]
      return [partition, { hosts: first + further, onlyOrphans: further === 0, batch }] as const
    })
    return new Map(chosen)
  }

  /**
   * Chooses hosts, starting at a random partition. Returns the number of hosts by partition.
   * @param besides number of hosts that are already chosen, by partition
   */
  #choose(count: number, kind: 'free' | 'orphans', besides?: ReadonlyMap<number, number>) {
    const chosen = new Map<number, number>()
    const { partitionCount } = this.#queue
    const start = Math.floor(Math.random() * partitionCount)
    for (let turn = 0, left = count; turn < partitionCount && left > 0; turn++) {
      const partition = (start + turn) % partitionCount
      const view = this.#views[partition]
      const nearest = view?.open[0]?.[0] ?? Number.POSITIVE_INFINITY
      const already = besides?.get(partition) ?? 0
      const gone = (this.#given.get(partition) ?? 0) + already
      const available = Math.min((view?.[kind] ?? 0) - gone, MAX_HOSTS_OF_PARTITION - already)
      if (nearest > this.#progress.depth || available <= 0) continue
      chosen.set(partition, Math.min(left, available))
      left -= Math.min(left, available)
    }
    return chosen
  }
}

/** Returns the maximum number of hosts that a process may lease. */
function maxOf({ share }: Pick<ExchangeNeeds, 'share'>): number {
  return Math.min(share, MAX_LEASED_HOSTS)
}
