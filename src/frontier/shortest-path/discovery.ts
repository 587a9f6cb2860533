import type { Beside } from '../../messages/messages.ts'
import { type Hop, levelOf, type Standing } from '../../records/crawl-url.ts'
import { hostKey } from '../../url/host-key.ts'
import type { Books } from '../frontier-tables.ts'
import type { Home } from '../politeness/host-directory.ts'
import type { HostQueue } from '../politeness/host-queue.ts'
import type { KnownUrl, Place } from '../sqlite/stored-url.ts'
import { STATE } from '../sqlite/tables.ts'

/** URLs to offer, all found in the same place. */
export interface Offer {
  readonly urls: readonly string[]
  readonly place: Place
}

/** What taking in some URLs leads to. */
interface Round {
  readonly now: number
  /** Hosts that got something to do. */
  readonly touched: Set<HostQueue>
  /** What is to be taken in as well. */
  readonly offers: Offer[]
}

/**
 * Takes discovered URLs into the books, each at the length of its shortest path.
 *
 * A URL that is known already moves when the new path is shorter. When it was visited meanwhile,
 * what it links to moves with it: over many hosts pages are visited out of order, and a page first
 * met on a long path must not cost its children when a short one turns up.
 */
export class Discovery {
  readonly #books: Books
  readonly #depthLimit: number

  constructor(books: Books, depthLimit: number) {
    this.#books = books
    this.#depthLimit = depthLimit
  }

  /** @returns the hosts in memory that got something to do */
  offer(now: number, ...offers: Offer[]): Set<HostQueue> {
    const touched = new Set<HostQueue>()
    for (let next = offers.pop(); next !== undefined; next = offers.pop()) {
      if (next.place.depth > this.#depthLimit) continue
      for (const url of next.urls) this.#take(url, next.place, { now, touched, offers })
    }
    return touched
  }

  /** What a page that was visited before leads to, as seen from where the page stands now. */
  outlinksOf(page: number, from: Standing): Offer[] {
    const { links, beside } = this.#books.outlinks.get(page)
    return [{ urls: links, place: linkPlace(page, from) }, ...besides(page, from, beside)]
  }

  #take(url: string, place: Place, round: Round): void {
    const { urls, keys, hosts, unfinished } = this.#books
    const key = keys.of(url)
    const host = hosts.homeOf(hostKey(url), round.now)
    const known = urls.insert(key, url, host.id, place) ? undefined : urls.find(key, url)
    if (known?.state === STATE.forgotten) {
      urls.move(known.id, place)
      urls.setState(known.id, STATE.ready)
    }
    if (known === undefined || known.state === STATE.forgotten) {
      unfinished.add(place.depth)
      this.#join(host, place, round)
    } else if (levelOf(place) < levelOf(known)) {
      this.#moveNearer(known, place, host, round)
    }
  }

  #join({ id, queue }: Home, place: Place, { now, touched }: Round): void {
    if (queue === undefined) this.#books.parked.await(id, now)
    else {
      queue.urls.joined(levelOf(place))
      touched.add(queue)
    }
  }

  #moveNearer(known: KnownUrl, place: Place, { queue }: Home, { touched, offers }: Round): void {
    const { urls, leases, unfinished } = this.#books
    urls.move(known.id, place)
    const isWaiting = known.state === STATE.ready || known.state === STATE.deferred
    if (isWaiting || known.state === STATE.inFlight) {
      unfinished.remove(known.depth)
      unfinished.add(place.depth)
    }
    const lease = leases.get(known.id)
    if (lease !== undefined) lease.shorter = place
    else if (isWaiting) queue?.urls.moved(levelOf(place))
    else if (known.state === STATE.visited) offers.push(...this.outlinksOf(known.id, place))
    if (queue !== undefined) touched.add(queue)
  }
}

/** Where a crawl begins. */
export function startPlace(hop: Hop): Place {
  return { depth: 0, sidesteps: 0, redirects: 0, hop, via: null }
}

/** Where the links of a page stand. */
export function linkPlace(page: number, { depth }: Standing): Place {
  return { depth: depth + 1, sidesteps: 0, redirects: 0, hop: 'link', via: page }
}

/** Where the rest stands that a page leads to: steps of length 0. */
export function besides(page: number, from: Standing, beside: readonly Beside[]): Offer[] {
  const { depth } = from
  const sidesteps = from.sidesteps + 1
  return beside.map(({ hop, urls }) => {
    const redirects = hop === 'redirect' ? from.redirects + 1 : 0
    return { urls, place: { depth, sidesteps, redirects, hop, via: page } }
  })
}
