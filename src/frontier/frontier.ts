import type { Findings, Named, RobotsReply } from '../messages/messages.ts'
import { type Store, temporaryStore } from '../state/store.ts'
import type { TrapExample } from '../traps/trap-guard.ts'
import { hostKey } from '../url/host-key.ts'
import { type Order, Orders } from './actions.ts'
import { Endings } from './completion.ts'
import type { Turns } from './deterministic/settle-order.ts'
import { Books } from './frontier-tables.ts'
import { placeOf } from './in-flight.ts'
import { Tenants } from './leased-hosts.ts'
import { Outages } from './outages.ts'
import { HostCensus } from './politeness/host-census.ts'
import type { FailedHost, HostReport } from './politeness/host-health.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import { HostRotation } from './politeness/host-rotation.ts'
import type { Manners } from './politeness/politeness.ts'
import { besides, Discovery, linkPlace, type Offer, startPlace } from './shortest-path/discovery.ts'
import { Archive } from './sqlite/frontier-snapshot.ts'
import { STATE } from './sqlite/tables.ts'

export interface FrontierOptions extends Manners {
  /** Greatest depth that is taken in. */
  readonly depth: number
  readonly ignoreRobots: boolean
}

/**
 * Keeper of what is to be fetched next: the todo queue on disk, the hosts with their manners, and
 * the books that make depth the length of the shortest path. Times are `performance.now()`.
 *
 * A page is handed out with `keepLinks` when a shorter path to it may still turn up (something
 * shallower is unfinished), or when it runs again: a worker that died may have claimed its links in
 * the seen set without telling us, so all of them are checked against the books.
 */
export class Frontier {
  /** What outlives the process. */
  readonly archive: Archive
  readonly endings: Endings
  readonly hosts: HostCensus
  /** Hosts that stop answering. */
  readonly outages: Outages
  protected readonly tenants: Tenants
  readonly #store: Store
  readonly #books: Books
  readonly #orders: Orders
  readonly #discovery: Discovery
  readonly #rotation: HostRotation

  constructor(options: FrontierOptions, store: Store = temporaryStore()) {
    this.#store = store
    this.#books = new Books(store, options)
    this.#orders = new Orders(this.#books, options.ignoreRobots)
    this.#discovery = new Discovery(this.#books, options.depth)
    this.endings = new Endings(this.#books, this.#orders.schedule)
    this.outages = new Outages(this.#books, this.#orders.schedule, this.endings)
    this.hosts = new HostCensus(this.#books, this.#orders.schedule)
    this.archive = new Archive(this.#books)
    this.#rotation = new HostRotation(this.#books, this.#orders.schedule)
    this.tenants = new Tenants(this.#books, this.#orders.schedule)
  }

  /** URLs that are not finished: they wait, are in flight, or will be tried again. */
  get unfinished(): number {
    return this.#books.unfinished.total
  }

  /** URLs that wait to be handed out for the first time. */
  get waiting(): number {
    return this.#books.unfinished.total - this.#books.leases.size
  }

  /** The order in which URLs have to be settled; undefined where any will do. */
  get turns(): Turns | undefined {
    return this.#books.turns
  }

  /** When there is something to take again; undefined when that depends on what is in flight. */
  get wakeAt(): number | undefined {
    const at = Math.min(this.#rotation.wakeAt, this.#books.leases.retryAt ?? Infinity)
    return at < Infinity ? at : undefined
  }

  /** Whether URLs wait that will never be handed out: what the store holds does not fit together. */
  get isStuck(): boolean {
    const { leases, robotsAsks, lookUps } = this.#books
    const isIdle = leases.size + robotsAsks.size + lookUps === 0 && this.wakeAt === undefined
    return isIdle && this.unfinished > 0
  }

  get traps(): readonly TrapExample[] {
    return this.#books.traps?.examples() ?? []
  }

  addSeed(url: string, now: number): void {
    this.offer(now, { urls: [url], place: startPlace('seed') })
  }

  addSitemaps(urls: readonly string[], now: number): void {
    this.offer(now, { urls, place: startPlace('sitemap') })
  }

  /** At most `max` orders that may be carried out now. */
  take(max: number, now: number): Order[] {
    for (const host of this.#books.leases.wake(now)) this.#orders.schedule.place(host, now)
    this.#rotation.turn(now)
    const orders = this.#orders.take(max, now)
    return orders.length > 0 || !this.#stopWaiting(now) ? orders : this.#orders.take(max, now)
  }

  /** A page was visited; what it leads to is taken in before the page counts as finished. */
  visited(id: number, findings: Findings, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    this.#books.watch(lease, findings)
    const { keepLinks, attempt } = lease.crawlUrl
    const { beside, links } = findings
    const place = placeOf(lease)
    if (keepLinks) this.#books.outlinks.put(id, place.depth, links, beside)
    this.named(id, findings, now)
    const isBehind = lease.shorter !== undefined || attempt > 1
    if (isBehind) this.offer(now, ...this.#discovery.outlinksOf(id, place))
    this.outages.settled(id)
    this.endings.settle(lease, STATE.visited, now)
  }

  /** A page that is in flight leads to these URLs, whatever becomes of it. */
  named(id: number, { discovered, nearer, beside }: Named, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    const place = placeOf(lease)
    const further = { urls: [...discovered, ...nearer], place: linkPlace(id, place) }
    this.offer(now, further, ...besides(id, place, beside))
  }

  /** A URL was given up. */
  failed(id: number, now: number): void {
    const lease = this.#books.leases.get(id)
    this.outages.settled(id)
    if (lease !== undefined) this.endings.settle(lease, STATE.failed, now)
  }

  /** Tries again after so many milliseconds; at once where the attempt was lost with its worker. */
  retry(id: number, after: number | undefined, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    if (after !== undefined) this.#books.urls.countFailure(id)
    const pause = lease.host.failure === undefined ? (after ?? 0) : 0
    this.#books.leases.postpone(lease, now + pause)
    this.endings.answered(lease.host, now)
  }

  /**
   * What a request tells of the host of a URL that is in flight.
   * @returns the host, when that is given up for it: all of its URLs that wait will be skipped
   */
  report(id: number, report: HostReport, now: number): FailedHost | undefined {
    const host = this.#books.leases.get(id)?.host
    if (host === undefined || !host.report(report, now)) return undefined
    this.#books.leases.recall(host)
    this.#orders.schedule.rouse(host, now)
    const { hasAnswered } = host.availability
    return { key: host.key, reason: host.failure ?? '', waiting: host.urls.size, hasAnswered }
  }

  /**
   * Takes in what came of a request for the robots.txt of an origin.
   * @param isHasty whether others wait for the verdict, and not for as long as it could take
   */
  setRobots(origin: string, reply: RobotsReply, now: number, isHasty = false): void {
    const sequel = this.#books.robotsAsks.close(origin, reply, now, isHasty)
    if (sequel === undefined) return
    this.endings.answered(sequel.answeredBy, now)
    this.#review(this.#books.hosts.of(hostKey(`${origin}/`)), now)
    if (sequel.next !== undefined) this.#review(sequel.next, now)
  }

  /** @param address undefined when it could not be found: then the host stands for itself */
  setAddress(key: string, address: string | undefined, now: number): void {
    const host = this.#books.locate(key, address)
    if (host !== undefined) this.#orders.schedule.place(host, now)
  }

  close(): void {
    this.#store.close()
  }

  /** Takes in what was found. */
  protected offer(now: number, ...offers: Offer[]): void {
    const { schedule } = this.#orders
    for (const host of this.#discovery.offer(now, ...offers)) schedule.place(host, now)
  }

  /** Something about a host has changed, wherever it is. */
  #review(host: HostQueue, now: number): void {
    this.#orders.schedule.rouse(host, now)
    this.#orders.schedule.place(host, now)
  }

  /** True when there was nothing left to do but to wait for hosts without a robots.txt. */
  #stopWaiting(now: number): boolean {
    const { leases, robotsAsks, probes, lookUps } = this.#books
    const underWay = leases.underWay + robotsAsks.size + probes.size + lookUps
    return underWay === 0 && this.#rotation.giveUpDormant(now)
  }
}
