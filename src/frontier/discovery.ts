import { hostKey } from '../url/host-key.ts'
import { levelOf } from '../wire/crawl-url.ts'
import type { Books } from './books.ts'
import type { HostQueue } from './host-queue.ts'
import { STATE } from './tables.ts'
import { UrlKey } from './url-key.ts'
import type { KnownUrl, Place } from './url-store.ts'

/** URLs to offer, all found in the same place. */
interface Offer {
  readonly urls: readonly string[]
  readonly place: Place
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
  readonly #keys = new UrlKey()

  constructor(books: Books, depthLimit: number) {
    this.#books = books
    this.#depthLimit = depthLimit
  }

  /** @returns the hosts that got something to do */
  offer(urls: readonly string[], place: Place): Set<HostQueue> {
    const touched = new Set<HostQueue>()
    const offers: Offer[] = [{ urls, place }]
    for (let next = offers.pop(); next !== undefined; next = offers.pop()) {
      if (next.place.depth > this.#depthLimit) continue
      for (const url of next.urls) this.#take(url, next.place, touched, offers)
    }
    return touched
  }

  /** What a page leads to, one step further than the page itself. */
  outlinksOf(page: number, place: { depth: number; redirects: number }): Offer[] {
    const { links, redirect } = this.#books.outlinks.get(page)
    const beyond = redirectPlace(page, place)
    return [
      { urls: links, place: linkPlace(page, place) },
      { urls: redirect === undefined ? [] : [redirect], place: beyond },
    ]
  }

  #take(url: string, place: Place, touched: Set<HostQueue>, offers: Offer[]): void {
    const { urls, hosts, unfinished } = this.#books
    const key = this.#keys.of(url)
    const host = hosts.of(hostKey(url))
    if (urls.insert(key, url, host.id, place)) {
      unfinished.add(place.depth)
      host.joined(levelOf(place), true)
      touched.add(host)
      return
    }
    const known = urls.find(key, url)
    if (known !== undefined && levelOf(place) < levelOf(known)) {
      this.#moveNearer(known, place, host, offers)
      touched.add(host)
    }
  }

  #moveNearer(known: KnownUrl, place: Place, host: HostQueue, offers: Offer[]): void {
    const { urls, leases, unfinished } = this.#books
    urls.move(known.id, place)
    if (known.state === STATE.ready || known.state === STATE.inFlight) {
      unfinished.remove(known.depth)
      unfinished.add(place.depth)
    }
    const lease = leases.get(known.id)
    if (lease !== undefined) lease.shorter = place
    else if (known.state === STATE.ready) host.joined(levelOf(place), false)
    else if (known.state === STATE.visited) offers.push(...this.outlinksOf(known.id, place))
  }
}

/** Where the links of a page stand. */
export function linkPlace(page: number, { depth }: { depth: number }): Place {
  return { depth: depth + 1, redirects: 0, hop: 'link', via: page }
}

/** Where the target of a redirect stands: a redirect is an edge of length 0. */
export function redirectPlace(page: number, from: { depth: number; redirects: number }): Place {
  return { depth: from.depth, redirects: from.redirects + 1, hop: 'redirect', via: page }
}
