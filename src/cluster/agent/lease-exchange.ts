import type { HeldHost, JobQueue, PushedUrl } from '../job-queue.ts'
import type { HostLease } from './host-lease.ts'
import { urlsOfEachHost } from './host-leases.ts'
import type { JobProgress } from './job-progress.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** A request to one partition. */
interface PartitionRequest {
  readonly partition: number
  readonly held: readonly HeldHost[]
  /** True when `held` has all hosts that are leased there. */
  readonly all: boolean
  /** Number of further hosts to take. */
  readonly hosts: number
}

/** Sums over the replies to some requests. */
interface ExchangeResult {
  /** Number of hosts that were taken. */
  readonly taken: number
  /** Number of URLs that were dropped because they were known. */
  readonly known: number
}

/** The present needs of this process and the others. */
interface ExchangeNeeds {
  /** Renews all leases, and lets partitions take back those that this process may not know of. */
  readonly isRenewal: boolean
  /** Number of hosts that leaves as many to each other process. */
  readonly share: number
  /** True when others ask for hosts. */
  readonly othersAskForHosts: boolean
}

/** Hosts to take in one cycle, and URLs of each at first: a server answers nobody else meanwhile. */
const MAX_HOSTS_AT_ONCE = 32
const FIRST_BATCH = 64
/** Hosts that a process leases at most: with a delay of a second, it can request so many pages per second. */
export const MAX_LEASED_HOSTS = 4_000
/** Part of a lease after which a partition that no process called is called: after half of one, it takes that for an outage. */
const UNHEARD = 1 / 4

/** Exchanges leases and URLs between this process and the shared queue. */
export class LeaseExchange {
  readonly #queue: JobQueue
  readonly #frontier: SharedFrontier
  readonly #agent: string
  readonly #ttl: number
  readonly #progress: JobProgress
  /** Partitions that were asked for hosts: they may have leased some in replies that were lost. */
  readonly #asked = new Set<number>()
  /** The views that the next fields go with. */
  #views: JobProgress['views'] = []
  /** True when its neglected partitions were called. */
  #hasCared = true
  /** Hosts that each partition gave since; infinite where it gave fewer than it was asked for. */
  readonly #given = new Map<number, number>()
  #breaks = 0

  constructor(
    queue: JobQueue,
    frontier: SharedFrontier,
    progress: JobProgress,
    agent: string,
    ttl: number,
  ) {
    this.#queue = queue
    this.#frontier = frontier
    this.#progress = progress
    this.#agent = agent
    this.#ttl = ttl
  }

  /** True when a partition waits for a call by any process. */
  get hasNeglected(): boolean {
    this.#updateViews()
    return !this.#hasCared && this.#neglected.length > 0
  }

  /** Pushes URLs to their partitions, all at once. */
  async push(found: readonly PushedUrl[]): Promise<void> {
    const shares = Map.groupBy(found, ({ host }) => this.#queue.partitionOf(host))
    await Promise.all([...shares].map(([partition, urls]) => this.#queue.push(partition, urls)))
  }

  /** Returns the requests to run now. */
  plan({ isRenewal, share, othersAskForHosts }: ExchangeNeeds, now: number): PartitionRequest[] {
    this.#updateViews()
    const { isHungry, isPaused, leases } = this.#frontier
    const max = Math.min(share, MAX_LEASED_HOSTS)
    if (othersAskForHosts) leases.shrinkTo(max)
    const wanted =
      isHungry && !isPaused
        ? this.#chooseFree(Math.min(MAX_HOSTS_AT_ONCE, max - leases.size))
        : new Map<number, number>()
    const held = new Map<number, HeldHost[]>()
    for (const lease of leases.all) {
      const isDone = leases.isDone(lease)
      if (isRenewal || isDone || leases.hasNews(lease)) this.#report(lease, now, isDone, held)
    }
    const others = isRenewal ? this.#mayLease() : []
    const neglected = this.#hasCared ? [] : this.#neglected
    this.#hasCared = true
    const partitions = new Set([...wanted.keys(), ...held.keys(), ...others, ...neglected])
    return [...partitions].map((partition) => ({
      ...{ partition, all: isRenewal },
      held: held.get(partition) ?? [],
      hosts: wanted.get(partition) ?? 0,
    }))
  }

  /** Returns the requests that give all hosts back. */
  giveBackAll(now: number): PartitionRequest[] {
    const held = new Map<number, HeldHost[]>()
    for (const lease of this.#frontier.leases.all) this.#report(lease, now, true, held)
    return [...held].map(([partition, hosts]) => ({ partition, held: hosts, all: false, hosts: 0 }))
  }

  /** Runs the requests, all at once. */
  async run(requests: readonly PartitionRequest[]): Promise<ExchangeResult> {
    const results = await Promise.all(requests.map((request) => this.#run(request)))
    return results.reduce(
      (sum, each) => ({ taken: sum.taken + each.taken, known: sum.known + each.known }),
      { taken: 0, known: 0 },
    )
  }

  /** Returns the partitions that may have leased hosts to this process that it doesn't know of. */
  #mayLease(): Iterable<number> {
    const { breaks, partitionCount } = this.#queue
    if (breaks === this.#breaks) return this.#asked
    // A server that took the place of another may know older leases.
    this.#breaks = breaks
    return Array.from({ length: partitionCount }, (_, partition) => partition)
  }

  #updateViews(): void {
    if (this.#views === this.#progress.views) return
    this.#views = this.#progress.views
    this.#hasCared = false
    this.#given.clear()
  }

  /** Partitions with leases to take back, and those that no process has called for a while. */
  get #neglected(): readonly number[] {
    return this.#views.flatMap(({ ended, unheard }, partition) => {
      return ended > 0 || unheard > this.#ttl * UNHEARD ? partition : []
    })
  }

  async #run(request: PartitionRequest): Promise<ExchangeResult> {
    const { partition, held, hosts, all } = request
    if (hosts > 0) this.#asked.add(partition)
    const { clock, longestPause } = this.#frontier.leases
    const sentAt = clock.now
    const reply = await this.#queue.exchange(partition, {
      ...{ agent: this.#agent, ttl: this.#ttl, longestPause, held, all, hosts },
      maxDepth: this.#progress.depth,
      batch: Math.min(FIRST_BATCH, urlsOfEachHost(this.#frontier.leases.size + hosts)),
    })
    if (all && hosts === 0) this.#asked.delete(partition)
    this.#frontier.leases.applyReply(partition, reply, sentAt + this.#ttl, performance.now())
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

  /** Chooses partitions that seem to have hosts nobody leases. Returns the number of hosts to take of each. */
  #chooseFree(count: number): Map<number, number> {
    const chosen = new Map<number, number>()
    const { partitionCount } = this.#queue
    const start = Math.floor(Math.random() * partitionCount)
    for (let turn = 0, left = count; turn < partitionCount && left > 0; turn++) {
      const partition = (start + turn) % partitionCount
      const view = this.#views[partition]
      const nearest = view?.open[0]?.[0] ?? Number.POSITIVE_INFINITY
      const free = (view?.free ?? 0) - (this.#given.get(partition) ?? 0)
      if (nearest > this.#progress.depth || free <= 0) continue
      chosen.set(partition, Math.min(left, free))
      left -= Math.min(left, free)
    }
    return chosen
  }
}
