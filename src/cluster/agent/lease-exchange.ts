import type { LeaseReport, LeaseRequest, PushedUrl } from '../job-queue.ts'
import { sum } from '../partition-counts.ts'
import { HostChoice, type HostNeeds, maxLeasedHosts, type WantedHosts } from './host-choice.ts'
import type { HostLease } from './host-lease.ts'
import { urlsOfEachHost } from './host-leases.ts'
import type { JobProgress } from './job-progress.ts'
import type { LeaseTimes } from './lease-times.ts'
import type { ExchangedQueue } from './rollback-aware-queue.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** A request to one partition. */
export interface PartitionRequest extends WantedHosts, Pick<LeaseRequest, 'held' | 'others'> {
  readonly partition: number
}

const NOTHING: WantedHosts = { hosts: 0, onlyOrphans: false, batch: 0 }

/** Sums over the replies to some requests. */
interface ExchangeResult {
  /** Number of hosts that were taken. */
  readonly taken: number
  /** Number of URLs that were dropped because they were seen before. */
  readonly known: number
}

/** Exchanges leases and URLs between this process and the shared queue. */
export class LeaseExchange {
  readonly #queue: ExchangedQueue
  readonly #frontier: SharedFrontier
  readonly #agent: string
  readonly #times: LeaseTimes
  readonly #progress: JobProgress
  readonly #choice: HostChoice
  /**
   * Partitions from which hosts were requested. They may have leased hosts to this process in replies that were lost.
   */
  readonly #requested = new Set<number>()
  /** Time at which the leases of these partitions are compared, in milliseconds of the lease clock. */
  #compareAt = 0
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
    this.#choice = new HostChoice(frontier, progress, queue.partitionCount)
  }

  /** Returns true if the last views show hosts to take and none were chosen from them yet. */
  canTake(needs: HostNeeds): boolean {
    return this.#choice.canChoose(needs)
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
  plan(needs: HostNeeds, now: number, renews: boolean): PartitionRequest[] {
    if (needs.isAnyHungry) this.#frontier.leases.shrinkTo(maxLeasedHosts(needs))
    const wanted = this.#choice.choose(needs)
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
    this.#choice.noteTaken(partition, hosts, taken)
    return { taken, known: reply.known }
  }

  #report(lease: HostLease, now: number, release: boolean, held: Map<number, LeaseReport[]>): void {
    const report = this.#frontier.leases.report(lease, now, release)
    if (release) this.#frontier.leases.lose(lease.host, now)
    held.set(lease.partition, [...(held.get(lease.partition) ?? []), report])
  }
}
