import type { HeldHost, JobQueue, PushedUrl } from '../job-queue.ts'
import { sum } from '../partition-counts.ts'
import type { HostLease } from './host-lease.ts'
import { urlsOfEachHost } from './host-leases.ts'
import type { JobProgress } from './job-progress.ts'
import type { LeaseTimes } from './lease-times.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** A request to one partition. */
interface PartitionRequest {
  readonly partition: number
  readonly held: readonly HeldHost[]
  /** The other hosts that are leased there; undefined if the partition is not to compare its leases with them. */
  readonly others?: readonly string[] | undefined
  /** Number of further hosts to take. */
  readonly hosts: number
  /** Takes only those whose lease has ended. */
  readonly onlyOrphans: boolean
  /** Number of URLs to take of each. */
  readonly batch: number
}

/** Hosts to take of a partition. */
type Wanted = Pick<PartitionRequest, 'hosts' | 'onlyOrphans' | 'batch'>

const NOTHING: Wanted = { hosts: 0, onlyOrphans: false, batch: 0 }

/** Sums over the replies to some requests. */
interface ExchangeResult {
  /** Number of hosts that were taken. */
  readonly taken: number
  /** Number of URLs that were dropped because they were known. */
  readonly known: number
}

/** The present needs of this process and the others. */
interface ExchangeNeeds {
  /** Renews leases although none is due. */
  readonly isRenewal: boolean
  /** Number of hosts that leaves as many to each other process. */
  readonly share: number
  /** Number of processes that take part, with those that died lately. */
  readonly agents: number
  /** True when others ask for hosts. */
  readonly othersAskForHosts: boolean
}

/** Hosts to take in one cycle, and URLs of each at first: a server answers nobody else meanwhile. */
const MAX_HOSTS_AT_ONCE = 32
const FIRST_BATCH = 64
/** The same for the hosts of processes that died: more of them at once, so that none waits any longer. */
const MAX_ORPHANS_AT_ONCE = 256
const BATCH_OF_ORPHANS = 16
/** Hosts that a process leases at most: with a delay of a second, it can request so many pages per second. */
export const MAX_LEASED_HOSTS = 4_000

/** Exchanges leases and URLs between this process and the shared queue. */
export class LeaseExchange {
  readonly #queue: JobQueue
  readonly #frontier: SharedFrontier
  readonly #agent: string
  readonly #times: LeaseTimes
  readonly #progress: JobProgress
  /** Partitions that were asked for hosts: they may have leased some in replies that were lost. */
  readonly #asked = new Set<number>()
  /** When those are compared with what they have leased, in milliseconds of the lease clock. */
  #compareAt = 0
  /** The views that the next fields go with. */
  #views: JobProgress['views'] = []
  /** True when hosts were taken by them, as far as any are needed. */
  #areUsed = true
  /** Hosts that each partition gave since; infinite where it gave fewer than it was asked for. */
  readonly #given = new Map<number, number>()
  #breaks = 0

  constructor(
    queue: JobQueue,
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

  /** True when the last view shows hosts to take, which nothing has been done about. */
  canTake(needs: Omit<ExchangeNeeds, 'isRenewal'>): boolean {
    this.#updateViews()
    return !this.#areUsed && this.#chooseHosts(needs).size > 0
  }

  /** Milliseconds until a lease has to be renewed. */
  get renewalIn(): number {
    const { ttl, renewAfter } = this.#times
    const { clock, firstEnd } = this.#frontier.leases
    return firstEnd - ttl + renewAfter - clock.now
  }

  /** Pushes URLs to their partitions, all at once. */
  async push(found: readonly PushedUrl[]): Promise<void> {
    const shares = Map.groupBy(found, ({ host }) => this.#queue.partitionOf(host))
    await Promise.all([...shares].map(([partition, urls]) => this.#queue.push(partition, urls)))
  }

  /** Returns the requests to run now. */
  plan(needs: ExchangeNeeds, now: number): PartitionRequest[] {
    this.#updateViews()
    const { leases } = this.#frontier
    if (needs.othersAskForHosts) leases.shrinkTo(maxOf(needs))
    const wanted = this.#chooseHosts(needs)
    this.#areUsed = true
    const isRenewal = needs.isRenewal || this.renewalIn <= 0
    const compared = this.#toCompare(isRenewal)
    const { held, others } = this.#reports(isRenewal, now)
    const partitions = new Set([...wanted.keys(), ...held.keys(), ...compared])
    return [...partitions].map((partition) => ({
      ...{ partition, held: held.get(partition) ?? [] },
      others: compared.has(partition) ? (others.get(partition) ?? []) : undefined,
      ...(wanted.get(partition) ?? NOTHING),
    }))
  }

  /** Returns the requests that give all hosts back. */
  returnAll(now: number): PartitionRequest[] {
    const held = new Map<number, HeldHost[]>()
    for (const lease of this.#frontier.leases.all) this.#report(lease, now, true, held)
    return [...held].map(([partition, hosts]) => {
      return { partition, held: hosts, ...NOTHING }
    })
  }

  /** Runs the requests, all at once. */
  async run(requests: readonly PartitionRequest[]): Promise<ExchangeResult> {
    const results = await Promise.all(requests.map((request) => this.#run(request)))
    return results.reduce(
      (sum, each) => ({ taken: sum.taken + each.taken, known: sum.known + each.known }),
      { taken: 0, known: 0 },
    )
  }

  /** Returns the reports on hosts by partition, and the names of all other leased hosts. */
  #reports(isRenewal: boolean, now: number) {
    const { leases } = this.#frontier
    const held = new Map<number, HeldHost[]>()
    const others = new Map<number, string[]>()
    const { ttl, renewAfter } = this.#times
    // Those that are due soon are renewed with the first one, in the same calls.
    const dueUntil = leases.clock.now + ttl - renewAfter / 2
    for (const lease of leases.all) {
      const isDone = leases.isDone(lease)
      const isDue = isRenewal && lease.until <= dueUntil
      if (isDue || isDone || leases.hasNews(lease)) this.#report(lease, now, isDone, held)
      else others.set(lease.partition, [...(others.get(lease.partition) ?? []), lease.host])
    }
    return { held, others }
  }

  /** Returns the partitions that may have leased hosts to this process that it doesn't know of. */
  #toCompare(isRenewal: boolean): ReadonlySet<number> {
    const { breaks, partitionCount } = this.#queue
    const { now } = this.#frontier.leases.clock
    if (breaks !== this.#breaks && isRenewal) {
      // A server that took the place of another may know older leases.
      this.#breaks = breaks
      return new Set(Array.from({ length: partitionCount }, (_, partition) => partition))
    }
    if (now < this.#compareAt) return new Set()
    this.#compareAt = now + this.#times.ttl / 3
    return new Set(this.#asked)
  }

  #updateViews(): void {
    if (this.#views === this.#progress.views) return
    this.#views = this.#progress.views
    this.#areUsed = false
    this.#given.clear()
  }

  async #run(request: PartitionRequest): Promise<ExchangeResult> {
    const { partition, held, hosts, others, onlyOrphans, batch } = request
    if (hosts > 0) this.#asked.add(partition)
    const { clock, longestPause } = this.#frontier.leases
    const sentAt = clock.now
    const { ttl } = this.#times
    const reply = await this.#queue.exchange(partition, {
      ...{ agent: this.#agent, ttl, longestPause, held, hosts, onlyOrphans },
      ...(others !== undefined && { others }),
      maxDepth: this.#progress.depth,
      batch: Math.min(batch, urlsOfEachHost(this.#frontier.leases.size + hosts)),
    })
    if (others !== undefined && hosts === 0) this.#asked.delete(partition)
    this.#frontier.leases.applyReply(partition, reply, sentAt + ttl, performance.now())
    const taken = reply.hosts.filter(({ robots }) => robots !== undefined).length
    const given = this.#given.get(partition) ?? 0
    this.#given.set(partition, taken < hosts ? Number.POSITIVE_INFINITY : given + taken)
    return { taken, known: reply.known }
  }

  #report(lease: HostLease, now: number, release: boolean, held: Map<number, HeldHost[]>): void {
    const report = this.#frontier.leases.report(lease, now, release)
    if (release) this.#frontier.leases.lose(lease.host, now)
    held.set(lease.partition, [...(held.get(lease.partition) ?? []), report])
  }

  /**
   * Chooses partitions that seem to have hosts nobody leases. Those of processes that died come first, and are taken by
   * processes that have enough to do, too: each takes its part of what it sees.
   */
  #chooseHosts(needs: Omit<ExchangeNeeds, 'isRenewal'>): Map<number, Wanted> {
    const { isHungry, isPaused, leases } = this.#frontier
    if (isPaused) return new Map()
    const { agents } = needs
    const all = sum(this.#views.map(({ orphans }) => orphans))
    const part = Math.min(Math.ceil(all / Math.max(1, agents - 1)), MAX_ORPHANS_AT_ONCE)
    const orphans = this.#choose(Math.min(part, MAX_LEASED_HOSTS - leases.size), 'orphans')
    const taken = sum([...orphans.values()])
    const room = Math.min(MAX_HOSTS_AT_ONCE - taken, maxOf(needs) - leases.size - taken)
    const free = isHungry ? this.#choose(room, 'free', orphans) : new Map<number, number>()
    const chosen = [...new Set([...orphans.keys(), ...free.keys()])].map((partition) => {
      const [first, further] = [orphans.get(partition) ?? 0, free.get(partition) ?? 0]
      const batch = first > 0 ? BATCH_OF_ORPHANS : FIRST_BATCH
      return [partition, { hosts: first + further, onlyOrphans: further === 0, batch }] as const
    })
    return new Map(chosen)
  }

  /**
   * Chooses hosts, from a random partition on. Returns their number by partition.
   * @param besides hosts that are chosen already
   */
  #choose(count: number, kind: 'free' | 'orphans', besides?: ReadonlyMap<number, number>) {
    const chosen = new Map<number, number>()
    const { partitionCount } = this.#queue
    const start = Math.floor(Math.random() * partitionCount)
    for (let turn = 0, left = count; turn < partitionCount && left > 0; turn++) {
      const partition = (start + turn) % partitionCount
      const view = this.#views[partition]
      const nearest = view?.open[0]?.[0] ?? Number.POSITIVE_INFINITY
      const gone = (this.#given.get(partition) ?? 0) + (besides?.get(partition) ?? 0)
      const available = (view?.[kind] ?? 0) - gone
      if (nearest > this.#progress.depth || available <= 0) continue
      chosen.set(partition, Math.min(left, available))
      left -= Math.min(left, available)
    }
    return chosen
  }
}

/** Returns the number of hosts that a process leases at most. */
function maxOf({ share }: Pick<ExchangeNeeds, 'share'>): number {
  return Math.min(share, MAX_LEASED_HOSTS)
}
