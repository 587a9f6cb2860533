import type { HeldHost, PushedUrl } from '../redis/exchange.ts'
import type { Partitions } from '../redis/partitions.ts'
import type { HostLease } from './host-lease.ts'
import type { SafeDepth } from './safe-depth.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** What is to be asked of a partition. */
export interface PartitionRequest {
  readonly partition: number
  readonly held: HeldHost[]
  /** Whether that is all that is held there. */
  readonly all: boolean
  hosts: number
}

/** What came of errands. */
interface ExchangeResult {
  /** Hosts that were taken. */
  readonly taken: number
  /** URLs that were dropped, for they were known. */
  readonly known: number
}

/** Hosts that are taken in one cycle, and URLs of each at first: Redis answers nobody else meanwhile. */
const HOSTS_AT_ONCE = 32
const URLS_AT_FIRST = 64
/** Hosts that a process holds at most. */
const MOST_HOSTS = 500

/** What one process asks of the partitions: what it tells, gives back, and takes. */
export class LeaseExchange {
  readonly #partitions: Partitions
  readonly #frontier: SharedFrontier
  readonly #agent: string
  readonly #ttl: number
  readonly #horizon: SafeDepth

  constructor(
    partitions: Partitions,
    frontier: SharedFrontier,
    horizon: SafeDepth,
    agent: string,
    ttl: number,
  ) {
    this.#partitions = partitions
    this.#frontier = frontier
    this.#horizon = horizon
    this.#agent = agent
    this.#ttl = ttl
  }

  /** Enqueues what is new, all partitions at once. */
  async push(found: readonly PushedUrl[]): Promise<void> {
    const shares = Map.groupBy(found, ({ host }) => this.#partitions.of(host))
    await Promise.all(
      [...shares].map(([partition, urls]) => this.#partitions.push(partition, urls)),
    )
  }

  /**
   * @param isRound whether all leases are renewed, and those looked at that others may have lost
   * @param share hosts that leave as much to each other process
   * @param isAsked whether others want hosts that this process holds
   */
  plan(isRound: boolean, share: number, isAsked: boolean, now: number): PartitionRequest[] {
    const errands = new Map<number, PartitionRequest>()
    const all = isRound ? Array.from({ length: this.#partitions.count }, (_, index) => index) : []
    for (const partition of all) this.#errandTo(partition, errands, true)
    const { isHungry, isPaused, leases: tenancies } = this.#frontier
    const most = Math.min(share, MOST_HOSTS)
    if (isAsked) tenancies.shrinkTo(most)
    if (isHungry && !isPaused) this.#want(Math.min(HOSTS_AT_ONCE, most - tenancies.size), errands)
    for (const tenancy of tenancies.all) {
      const isDone = tenancies.isDone(tenancy)
      if (!isRound && !isDone && !tenancies.hasNews(tenancy)) continue
      this.#errandTo(tenancy.partition, errands).held.push(this.#tell(tenancy, now, isDone))
    }
    return [...errands.values()]
  }

  /** Gives all back. */
  giveBackAll(now: number): PartitionRequest[] {
    const errands = new Map<number, PartitionRequest>()
    for (const tenancy of this.#frontier.leases.all) {
      this.#errandTo(tenancy.partition, errands).held.push(this.#tell(tenancy, now, true))
    }
    return [...errands.values()]
  }

  /** @returns how many hosts were taken, and URLs dropped, for they were known */
  async run(errands: readonly PartitionRequest[]): Promise<ExchangeResult> {
    const yields = await Promise.all(errands.map((errand) => this.#run(errand)))
    return yields.reduce(
      (sum, each) => ({ taken: sum.taken + each.taken, known: sum.known + each.known }),
      { taken: 0, known: 0 },
    )
  }

  async #run({ partition, held, hosts, all }: PartitionRequest): Promise<ExchangeResult> {
    const { clock, longestPause } = this.#frontier.leases
    const asked = clock.now
    const { depth: horizon } = this.#horizon
    const agent = { agent: this.#agent, ttl: this.#ttl, longestPause }
    const about = { ...agent, horizon, hosts, batch: URLS_AT_FIRST }
    const reply = await this.#partitions.exchange(partition, { ...about, held, all })
    this.#frontier.leases.applyReply(partition, reply, asked + this.#ttl, performance.now())
    const taken = reply.hosts.filter(({ robots }) => robots !== undefined).length
    return { taken, known: reply.known }
  }

  #tell(tenancy: HostLease, now: number, release: boolean): HeldHost {
    const held = this.#frontier.leases.report(tenancy, now, release)
    if (release) this.#frontier.leases.lose(tenancy.host, now)
    return held
  }

  /** Asks for hosts where there seem to be some that nobody holds. */
  #want(count: number, errands: Map<number, PartitionRequest>): void {
    let left = count
    const start = Math.floor(Math.random() * this.#partitions.count)
    for (let turn = 0; turn < this.#partitions.count && left > 0; turn++) {
      const partition = (start + turn) % this.#partitions.count
      const view = this.#horizon.views[partition]
      const nearest = view?.open[0]?.[0] ?? Number.POSITIVE_INFINITY
      const free = view?.free ?? 0
      if (nearest > this.#horizon.depth || free === 0) continue
      this.#errandTo(partition, errands).hosts = Math.min(left, free)
      left -= Math.min(left, free)
    }
  }

  #errandTo(
    partition: number,
    errands: Map<number, PartitionRequest>,
    all = false,
  ): PartitionRequest {
    const errand = errands.get(partition) ?? { partition, held: [], all, hosts: 0 }
    errands.set(partition, errand)
    return errand
  }
}
