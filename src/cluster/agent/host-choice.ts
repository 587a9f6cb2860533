import type { LeaseRequest } from '../job-queue.ts'
import { sum } from '../partition-counts.ts'
import type { JobProgress } from './job-progress.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Hosts to take of a partition. */
export type WantedHosts = Pick<LeaseRequest, 'hosts' | 'onlyOrphans' | 'batch'>

/** The current needs of this process and of the others. */
export interface HostNeeds {
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

/** Chooses hosts to lease that are free by the last views of the partitions. */
export class HostChoice {
  readonly #frontier: SharedFrontier
  readonly #progress: JobProgress
  readonly #partitionCount: number
  /** The views of the partitions to which the next two fields refer. */
  #views: JobProgress['views'] = []
  /** True if hosts were already chosen from these views. */
  #areUsed = true
  /**
   * Number of hosts that each partition has leased to this process since; infinite if it leased fewer than requested.
   */
  readonly #given = new Map<number, number>()

  constructor(frontier: SharedFrontier, progress: JobProgress, partitionCount: number) {
    this.#frontier = frontier
    this.#progress = progress
    this.#partitionCount = partitionCount
  }

  /** Returns true if the last views show hosts to take and none were chosen from them yet. */
  canChoose(needs: HostNeeds): boolean {
    this.#updateViews()
    return !this.#areUsed && this.#choose(needs).size > 0
  }

  /** Returns the hosts to take, by partition. */
  choose(needs: HostNeeds): ReadonlyMap<number, WantedHosts> {
    this.#updateViews()
    this.#areUsed = true
    return this.#choose(needs)
  }

  /** Notes that a partition has leased `taken` of the hosts that were requested. */
  noteTaken(partition: number, requested: number, taken: number): void {
    const given = this.#given.get(partition) ?? 0
    this.#given.set(partition, taken < requested ? Number.POSITIVE_INFINITY : given + taken)
  }

  #updateViews(): void {
    if (this.#views === this.#progress.views) return
    this.#views = this.#progress.views
    this.#areUsed = false
    this.#given.clear()
  }

  /** Hosts of dead processes come first. Even processes that have enough to do take those: each takes its part of them. */
  #choose(needs: HostNeeds): Map<number, WantedHosts> {
    const { isPaused, leases, needsHosts } = this.#frontier
    if (isPaused) return new Map()
    const { agents } = needs
    const all = sum(this.#views.map(({ orphans }) => orphans))
    const part = Math.min(Math.ceil(all / Math.max(1, agents - 1)), MAX_HOSTS_AT_ONCE)
    const orphans = this.#chooseOf('orphans', Math.min(part, MAX_LEASED_HOSTS - leases.size))
    const taken = sum([...orphans.values()])
    const room = Math.min(MAX_HOSTS_AT_ONCE - taken, maxLeasedHosts(needs) - leases.size - taken)
    const free = needsHosts ? this.#chooseOf('free', room, orphans) : new Map<number, number>()
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
  #chooseOf(kind: 'free' | 'orphans', count: number, besides?: ReadonlyMap<number, number>) {
    const chosen = new Map<number, number>()
    const partitionCount = this.#partitionCount
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
export function maxLeasedHosts({ share }: Pick<HostNeeds, 'share'>): number {
  return Math.min(share, MAX_LEASED_HOSTS)
}
