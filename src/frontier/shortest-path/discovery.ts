import type { SameDepthUrls } from '../../messages/outcome.ts'
import { type Hop, levelOf, type PathLength } from '../../records/crawl-url.ts'
import { hostKey } from '../../url/host-key.ts'
import type { HostDirectory, UrlHost } from '../hosts/host-directory.ts'
import type { HostQueue } from '../hosts/host-queue.ts'
import type { FrontierTables } from '../storage/frontier-tables.ts'
import { type KnownUrl, URL_STATE, type UrlPlace } from '../storage/stored-url.ts'
import type { DepthTally } from './depth-tally.ts'

/** URLs that were found in the same place. */
export interface FoundUrls {
  readonly urls: readonly string[]
  readonly place: UrlPlace
  /** URL of the page on which they were found, if it is known. */
  readonly page?: string | undefined
}

/** The parts of the frontier that discovery changes. */
interface DiscoveryParts {
  readonly tables: FrontierTables
  readonly hosts: HostDirectory
  readonly unfinished: DepthTally
  /** Notes a shorter path to a URL. Returns false if the URL is not in flight. */
  readonly inFlight: { shorten(id: number, place: UrlPlace): boolean }
}

/** The progress of one call of `Discovery.add`. */
interface DiscoveryRound {
  readonly now: number
  /** Hosts in memory that got something to do. */
  readonly touched: Set<HostQueue>
  /** URLs that are left to add. */
  readonly found: FoundUrls[]
}

/**
 * Adds URLs that were found, each with the depth of its shortest path.
 *
 * A known URL moves to the new path if that is shorter. If the URL was already visited, its links move, too.
 * Pages on many hosts are visited out of order. Without this, the links of a page that was first found on a
 * long path might stay beyond the maximum depth, even if a shorter path is found later.
 */
export class Discovery {
  readonly #parts: DiscoveryParts
  readonly #maxDepth: number

  constructor(parts: DiscoveryParts, maxDepth: number) {
    this.#parts = parts
    this.#maxDepth = maxDepth
  }

  /** Adds URLs, and returns the hosts in memory that got something to do. */
  add(now: number, ...found: FoundUrls[]): Set<HostQueue> {
    const round = { now, touched: new Set<HostQueue>(), found }
    for (let next = found.pop(); next !== undefined; next = found.pop()) {
      if (next.place.depth > this.#maxDepth) continue
      for (const url of next.urls) this.#add(url, next, round)
    }
    return round.touched
  }

  /** Returns the outlinks of a page that was visited before, at the depths that follow from its place. */
  outlinksOf(page: number, from: PathLength): FoundUrls[] {
    const { links, sameDepth } = this.#parts.tables.outlinks.get(page)
    return [{ urls: links, place: linkPlace(page, from) }, ...sameDepthUrls(page, from, sameDepth)]
  }

  #add(url: string, { place, page }: FoundUrls, round: DiscoveryRound): void {
    const { tables, hosts, unfinished } = this.#parts
    const { urls } = tables
    const key = tables.keyOf(url)
    const host = hosts.hostOf(hostKey(url), round.now)
    const id = urls.insert(key, url, host.id, place)
    const known = id === undefined ? urls.find(key, url) : undefined
    const isBack = known !== undefined && this.#waitsAgain(known, place)
    if (isBack) {
      urls.move(known.id, place)
      urls.setState(known.id, URL_STATE.ready)
    }
    if (known === undefined || isBack) {
      unfinished.add(place.depth)
      const { queue } = host
      if (queue === undefined) {
        tables.parked.parkNew(host.id, round.now)
        return
      }
      if (id === undefined || page === undefined) queue.urls.joined(levelOf(place))
      else queue.urls.append(id, url, place, page)
      round.touched.add(queue)
    } else if (levelOf(place) < levelOf(known)) {
      this.#moveNearer(known, place, host, round)
    }
  }

  /** Returns whether a known URL waits again: a forgotten one, or a page that was dropped since it was too deep. */
  #waitsAgain(known: KnownUrl, place: UrlPlace): boolean {
    if (known.state !== URL_STATE.visited) return known.state === URL_STATE.forgotten
    return levelOf(place) < levelOf(known) && this.#parts.tables.rereads.restore(known.id)
  }

  #moveNearer(known: KnownUrl, place: UrlPlace, { queue }: UrlHost, round: DiscoveryRound): void {
    const { tables, inFlight, unfinished } = this.#parts
    tables.urls.move(known.id, place)
    const isWaiting = known.state === URL_STATE.ready || known.state === URL_STATE.deferred
    if (isWaiting || known.state === URL_STATE.inFlight) {
      unfinished.remove(known.depth)
      unfinished.add(place.depth)
    }
    if (!inFlight.shorten(known.id, place)) {
      if (isWaiting) queue?.urls.moved(levelOf(place))
      else if (known.state === URL_STATE.visited)
        round.found.push(...this.outlinksOf(known.id, place))
    }
    if (queue !== undefined) round.touched.add(queue)
  }
}

/** Returns the place of a URL at depth 0 that was not found on a page. */
export function startPlace(hop: Hop): UrlPlace {
  return { depth: 0, sameDepthHops: 0, redirects: 0, hop, via: null }
}

/** Returns the place of the links of a page. */
export function linkPlace(page: number, { depth }: PathLength): UrlPlace {
  return { depth: depth + 1, sameDepthHops: 0, redirects: 0, hop: 'link', via: page }
}

/** Returns the URLs to which a page leads at its own depth: redirects, assets and sitemaps. */
export function sameDepthUrls(
  page: number,
  from: PathLength,
  sameDepth: readonly SameDepthUrls[],
): FoundUrls[] {
  const { depth } = from
  const sameDepthHops = from.sameDepthHops + 1
  return sameDepth.map(({ hop, urls }) => {
    const redirects = hop === 'redirect' ? from.redirects + 1 : 0
    return { urls, place: { depth, sameDepthHops, redirects, hop, via: page } }
  })
}
