import { Heap } from '../collections/heap.ts'
import { type CrawlUrl, levelOf, type PathLength } from '../records/crawl-url.ts'
import type { Mutable } from '../records/mutable.ts'
import type { HostQueue } from './hosts/host-queue.ts'
import type { DepthTally } from './shortest-path/depth-tally.ts'
import type { FrontierTables } from './storage/frontier-tables.ts'
import type { Rereads } from './storage/rereads.ts'
import { type ReadyUrl, URL_STATE, type UrlState } from './storage/stored-url.ts'
import type { UrlStore } from './storage/url-store.ts'

/** A URL that was handed out and is not settled. */
export interface UrlInFlight {
  readonly crawlUrl: CrawlUrl
  readonly host: HostQueue
  /** When it was handed out, in milliseconds of the monotonic clock. */
  readonly handedOutAt: number
  /** A shorter path that was found meanwhile. */
  readonly shorter?: PathLength
  /** True if the request is over, and the URL waits for its turn to be settled. */
  readonly isAnswered?: boolean
  /** True if the host belongs to another process now: the response is ignored. */
  readonly isLost?: boolean
}

/** Returns the place of a URL by the shortest path that is known now. */
export function placeOf(url: UrlInFlight): PathLength {
  return url.shorter ?? url.crawlUrl
}

/** The URLs that are in flight, or wait for another attempt. */
export class UrlsInFlight {
  readonly #table: UrlStore
  readonly #rereads: Rereads
  readonly #unfinished: DepthTally
  readonly #inFlight = new Map<number, Mutable<UrlInFlight>>()
  readonly #retries = new Heap<UrlInFlight>()
  /** Maximum requests per second. */
  readonly #rate: number
  #answered = 0

  constructor(
    { urls, rereads }: Pick<FrontierTables, 'urls' | 'rereads'>,
    unfinished: DepthTally,
    rate = Number.POSITIVE_INFINITY,
  ) {
    this.#rate = rate
    this.#table = urls
    this.#rereads = rereads
    this.#unfinished = unfinished
  }

  get size(): number {
    return this.#inFlight.size
  }

  /** Number of URLs without an answer. */
  get unanswered(): number {
    return this.#inFlight.size - this.#answered
  }

  /** When the next attempt is due, in milliseconds of the monotonic clock. */
  get retryAt(): number | undefined {
    return this.#retries.firstAt
  }

  get(id: number): UrlInFlight | undefined {
    return this.#inFlight.get(id)
  }

  /** Hands out the head of a host's queue. */
  handOut(host: HostQueue, head: ReadyUrl, handedOutAt: number): CrawlUrl {
    const isReread = this.#rereads.has(head.id)
    const crawlUrl = crawlUrlOf(head, this.#unfinished.shallowest, isReread)
    host.urls.shift()
    // Requests that were handed out before may be sent before, and the next one may not be sent at once.
    const sentBy = handedOutAt + ((this.unanswered + 1) * 1_000) / this.#rate
    host.urls.hold(head, sentBy)
    host.began()
    if (head.attempts === 0) host.load.countPage()
    this.#table.handOut(head.id)
    this.#inFlight.set(head.id, { crawlUrl, host, handedOutAt })
    return crawlUrl
  }

  /** Notes a shorter path to a URL. Returns false if the URL is not in flight. */
  shorten(id: number, place: PathLength): boolean {
    const url = this.#inFlight.get(id)
    if (url !== undefined) url.shorter = place
    return url !== undefined
  }

  /** Finishes a URL in the given state. */
  settle(url: UrlInFlight, state: UrlState): void {
    const { id, isReread } = url.crawlUrl
    if (isReread === true) this.#rereads.remove(id)
    this.#table.setState(id, isReread === true ? URL_STATE.visited : state)
    this.#unfinished.remove(placeOf(url).depth)
    this.#drop(url)
  }

  /** Notes that a URL is answered. It stays in flight until it is settled. */
  answered(id: number): void {
    const url = this.#inFlight.get(id)
    if (url === undefined || url.isAnswered === true) return
    url.isAnswered = true
    this.#answered++
  }

  /** Notes that a URL which was answered needs an answer again. */
  reopen(id: number): void {
    const url = this.#inFlight.get(id)
    if (url?.isAnswered !== true) return
    url.isAnswered = false
    this.#answered--
  }

  /** Schedules another attempt. The URL stays in flight until then. */
  postpone(url: UrlInFlight, at: number, now: number): void {
    this.#retries.push(at, url)
    url.host.pauses.postponed(at, now)
  }

  /** Puts URLs whose next attempt is due back into the queues of their hosts. Yields these hosts. */
  *wake(now: number): Generator<HostQueue> {
    for (let due = this.#retries.popDue(now); due; due = this.#retries.popDue(now)) {
      this.putBack(due.value)
      yield due.value.host
    }
  }

  /** Puts URLs that wait for another attempt back into their host's queue at once. */
  retryNow(host: HostQueue): void {
    for (const url of this.#retries.extract((each) => each.host === host)) this.putBack(url)
  }

  /** Puts a URL back into its host's queue at once. */
  putBack(url: UrlInFlight): void {
    this.#table.setState(url.crawlUrl.id, URL_STATE.ready)
    this.#drop(url)
    url.host.putBack(levelOf(placeOf(url)))
  }

  /** Puts a URL that was not requested back into its host's queue: the attempt doesn't count. */
  returnUnsent(url: UrlInFlight): void {
    this.#table.returnUnsent(url.crawlUrl.id)
    url.host.returnUnsent()
    if (url.crawlUrl.attempt === 1) url.host.load.uncountPage()
    this.#drop(url)
    url.host.urls.returned()
  }

  /** Marks the URLs of a host as lost: the host belongs to another process now. */
  lose(host: HostQueue): void {
    for (const url of this.#inFlight.values()) if (url.host === host) url.isLost = true
  }

  #drop(url: UrlInFlight): void {
    this.#inFlight.delete(url.crawlUrl.id)
    if (url.isAnswered === true) this.#answered--
    url.host.urls.release(levelOf(url.crawlUrl))
  }
}

/** Returns a URL for a worker. `shallowest` is the least depth of all unfinished URLs: no new URL can be nearer. */
export function crawlUrlOf(ready: ReadyUrl, shallowest: number, isReread: boolean): CrawlUrl {
  const { id, url, depth, sameDepthHops, redirects, hop, via, failures } = ready
  const attempt = ready.attempts + 1
  const keepLinks = attempt > 1 || depth > shallowest
  const found = { id, url, depth, sameDepthHops, redirects, hop, via: via ?? undefined }
  return { ...found, attempt, failures, keepLinks, isReread: isReread ? true : undefined }
}
