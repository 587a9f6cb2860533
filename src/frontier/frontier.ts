import { hostKey } from '../url/host-key.ts'
import type { RobotsAnswer } from '../wire/messages.ts'
import { Books } from './books.ts'
import { Discovery, linkPlace, redirectPlace } from './discovery.ts'
import type { HostQueue } from './host-queue.ts'
import { type Lease, placeOf } from './leases.ts'
import { type Order, Orders } from './orders.ts'
import { STATE, type State } from './tables.ts'
import type { Place } from './url-store.ts'

export interface FrontierOptions {
  /** Greatest depth that is taken in. */
  readonly depth: number
  readonly perHost: number
  /** Pause between two requests to a host, in milliseconds. */
  readonly delay: number
  readonly ignoreRobots: boolean
}

/** What a visit found. */
export interface Findings {
  /** URLs inside the scope that are new, or whose path may be shorter than it was. */
  readonly urls: readonly string[]
  readonly redirect?: string
  /** All links, packed, when `keepLinks` asked for them. */
  readonly links?: Uint8Array
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
  readonly #books: Books
  readonly #orders: Orders
  readonly #discovery: Discovery

  constructor(options: FrontierOptions) {
    this.#books = new Books(options)
    this.#orders = new Orders(this.#books, options.ignoreRobots)
    this.#discovery = new Discovery(this.#books, options.depth)
  }

  /** URLs that are not finished: they wait, are in flight, or will be tried again. */
  get unfinished(): number {
    return this.#books.unfinished.total
  }

  /** URLs that wait to be handed out for the first time. */
  get waiting(): number {
    return this.#books.unfinished.total - this.#books.leases.size
  }

  get hosts(): number {
    return this.#books.hosts.size
  }

  /** When there is something to take again; undefined when that depends on what is in flight. */
  get wakeAt(): number | undefined {
    const times = [this.#orders.schedule.wakeAt, this.#books.leases.retryAt].filter(
      (at) => at !== undefined,
    )
    return times.length > 0 ? Math.min(...times) : undefined
  }

  addSeed(url: string, now: number): void {
    this.#offer([url], { depth: 0, redirects: 0, hop: 'seed', via: null }, now)
  }

  /** At most `max` orders that may be carried out now. */
  take(max: number, now: number): Order[] {
    for (const host of this.#books.leases.wake(now)) this.#orders.schedule.place(host, now)
    return this.#orders.take(max, now)
  }

  /** A page was visited; what it leads to is taken in before the page counts as finished. */
  visited(id: number, findings: Findings, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    const { crawlUrl } = lease
    const place = placeOf(lease)
    const { urls, redirect, links } = findings
    if (crawlUrl.keepLinks) this.#books.outlinks.put(id, place.depth, links, redirect)
    this.#offer(urls, linkPlace(id, place), now)
    if (redirect !== undefined) this.#offer([redirect], redirectPlace(id, place), now)
    if (lease.shorter !== undefined || crawlUrl.attempt > 1) this.#offerOutlinks(id, place, now)
    this.#settle(lease, STATE.visited, now)
  }

  /** A URL was given up. */
  failed(id: number, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease !== undefined) this.#settle(lease, STATE.failed, now)
  }

  /** A URL will be tried again after so many milliseconds; its host goes on meanwhile. */
  retry(id: number, after: number, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    this.#books.leases.postpone(lease, now + after)
    this.#answered(lease.host, now)
  }

  /** An origin answered, or didn't, when asked for its robots.txt. */
  setRobots(origin: string, answer: RobotsAnswer, now: number): void {
    const host = this.#books.hosts.of(hostKey(`${origin}/`))
    host.robots.answer(origin, answer)
    this.#answered(host, now)
  }

  close(): void {
    this.#books.close()
  }

  #offer(urls: readonly string[], place: Place, now: number): void {
    for (const host of this.#discovery.offer(urls, place)) this.#orders.schedule.place(host, now)
  }

  #offerOutlinks(page: number, from: { depth: number; redirects: number }, now: number): void {
    for (const { urls, place } of this.#discovery.outlinksOf(page, from)) {
      this.#offer(urls, place, now)
    }
  }

  #settle(lease: Lease, state: State, now: number): void {
    const before = this.#books.unfinished.shallowest
    this.#books.leases.settle(lease, state)
    if (this.#books.unfinished.shallowest > before) {
      this.#books.outlinks.dropUpTo(this.#books.unfinished.shallowest)
    }
    this.#answered(lease.host, now)
  }

  #answered(host: HostQueue, now: number): void {
    host.answered(now)
    this.#orders.schedule.place(host, now)
  }
}
