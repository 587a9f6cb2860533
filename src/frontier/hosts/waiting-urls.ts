import { detachedCopy } from '../../encoding/detached-copy.ts'
import { depthOfLevel, levelOf } from '../../records/crawl-url.ts'
import {
  type DeferredOrder,
  type HostRef,
  type ReadyUrl,
  URL_STATE,
  type UrlPlace,
} from '../storage/stored-url.ts'
import type { UrlStore } from '../storage/url-store.ts'

/** URLs to read ahead from the table, at first and later: if many hosts are in memory, most need few URLs. */
const READ_FIRST = 4
const READ_MORE = 32
/**
 * Maximum deferred URLs to make ready at a time, which takes half a second. There is a limit because the same pattern
 * may be suspected again and again.
 */
const MAX_RECALLED = 100_000
/**
 * Milliseconds after which a URL is passed by URLs one link deeper, since only a redirect can be a shorter path to
 * these. They count from the moment at which its request was sent at the latest.
 */
const PATIENCE_MS = 2_000
/** Milliseconds after which all others pass it, too, at its first attempt. A later attempt may hang like the first. */
const FIRST_PATIENCE_MS = 10_000

/** The URLs of a level that are in flight or wait for another attempt. */
interface UnsettledUrls {
  count: number
  /** When URLs one link deeper pass them, and when all others do, in milliseconds of the monotonic clock. */
  passedByNext: number
  passedByAll: number
}

/**
 * The waiting URLs of one host in level order, and the levels of its URLs in flight.
 *
 * Deferred URLs come last, one at a time: only when no other URL waits, and no URL in flight may lead to another.
 */
export class WaitingUrls {
  readonly #host: HostRef
  readonly #table: UrlStore
  /** The URLs that are in flight or wait for another attempt, by level; undefined while there are none. */
  #unsettled: Map<number, UnsettledUrls> | undefined
  #size: number | undefined
  /** True if the table may have more ready URLs than were read ahead. */
  #mayHaveMore = true
  #mayHaveDeferred = true
  #readAhead = READ_FIRST
  #ahead: ReadyUrl[] = []
  #deferredAhead: ReadyUrl[] = []
  #deferredOrder: DeferredOrder = 'nearest-first'

  constructor(host: HostRef, table: UrlStore) {
    this.#host = host
    this.#table = table
  }

  /** Number of URLs, deferred ones included; counted on the first use. */
  get size(): number {
    this.#size ??= this.#table.countWaiting(this.#host.id)
    return this.#size
  }

  /** Sets the order in which deferred URLs come, from the next one on. */
  set deferredOrder(order: DeferredOrder) {
    if (order === this.#deferredOrder) return
    this.#deferredOrder = order
    this.#forgetDeferred()
  }

  /** True if the head was deferred. */
  get isDeferred(): boolean {
    return this.#readyHead === undefined
  }

  /** True if any URL is in flight or waits for another attempt. */
  get hasUnsettled(): boolean {
    return this.#unsettled !== undefined
  }

  /** The next URL. */
  get head(): ReadyUrl | undefined {
    return this.#readyHead ?? this.#deferredHead
  }

  get #readyHead(): ReadyUrl | undefined {
    if (this.#ahead.length === 0 && this.#mayHaveMore) {
      this.#ahead = this.#table.ready(this.#host, this.#readAhead).reverse()
      this.#mayHaveMore = this.#ahead.length === this.#readAhead
      this.#readAhead = READ_MORE
    }
    return this.#ahead.at(-1)
  }

  get #deferredHead(): ReadyUrl | undefined {
    if (this.hasUnsettled) return undefined
    if (this.#deferredAhead.length === 0 && this.#mayHaveDeferred) {
      this.#deferredAhead = this.#table
        .deferred(this.#host, READ_MORE, this.#deferredOrder)
        .reverse()
      this.#mayHaveDeferred = this.#deferredAhead.length === READ_MORE
    }
    return this.#deferredAhead.at(-1)
  }

  /** Returns whether a URL nearer to the seeds than `head` is in flight or waits for another attempt. */
  hasUnsettledBefore(head: ReadyUrl): boolean {
    const level = levelOf(head)
    for (const unsettled of this.#unsettled?.keys() ?? []) if (unsettled < level) return true
    return false
  }

  /** Returns when a URL may pass those nearer to the seeds that are unsettled, in milliseconds of the monotonic clock. */
  passesAt(head: ReadyUrl): number {
    const level = levelOf(head)
    let at = 0
    for (const [unsettled, { passedByNext, passedByAll }] of this.#unsettled ?? []) {
      if (unsettled >= level) continue
      const isNext = head.depth <= depthOfLevel(unsettled) + 1
      at = Math.max(at, isNext ? passedByNext : passedByAll)
    }
    return at
  }

  /**
   * Notes that a new URL was added to the table. If all others are in memory and come before it, it needn't be read.
   * @param via URL of the page on which it was found
   */
  append(id: number, url: string, place: UrlPlace, via: string): void {
    const last = this.#ahead[0]
    const isLast = last === undefined || levelOf(last) <= levelOf(place)
    if (this.#mayHaveMore || !isLast || this.#ahead.length >= READ_MORE) {
      this.joined(levelOf(place))
      return
    }
    const { depth, sameDepthHops, redirects, hop } = place
    const path = { depth, sameDepthHops, redirects, hop, via }
    // The text of the URL may be a part of a large message.
    this.#ahead.unshift({ id, url: detachedCopy(url), ...path, attempts: 0, failures: 0 })
    if (this.#size !== undefined) this.#size++
  }

  /** Notes that a URL was added to the table. */
  joined(level: number): void {
    this.#reviewAhead(level)
    if (this.#size !== undefined) this.#size++
  }

  /** Notes that a URL was returned to the table. Drops the URLs that were read ahead, since it comes before them. */
  returned(): void {
    this.#ahead = []
    this.#mayHaveMore = true
    if (this.#size !== undefined) this.#size++
  }

  /** Notes that a URL moved to a nearer level. */
  moved(level: number): void {
    this.#forgetDeferred()
    // It may have been found before URLs of that level that were read ahead.
    this.#reviewAhead(level - 1)
  }

  /** Removes the head. */
  shift(): void {
    if (this.isDeferred) this.#deferredAhead.pop()
    else this.#ahead.pop()
    if (this.#size !== undefined) this.#size--
  }

  /** Defers the head, which must be ready. */
  defer({ id }: ReadyUrl): void {
    this.shift()
    this.#table.setState(id, URL_STATE.deferred)
    if (this.#size !== undefined) this.#size++
    this.#forgetDeferred()
  }

  /**
   * Makes deferred URLs ready again, the nearest to the seeds first. If they were visited last, each would
   * lead to many URLs on a shorter path than the one on which they were found since.
   */
  restoreDeferred(): void {
    this.#table.restoreDeferred(this.#host.id, MAX_RECALLED)
    this.#ahead = []
    this.#mayHaveMore = true
    this.#forgetDeferred()
  }

  /** Notes that all URLs were removed from the table. */
  clear(): void {
    this.#size = 0
    this.#ahead = []
    this.#deferredAhead = []
  }

  /**
   * Notes that a URL is in flight.
   * @param sentBy when its request is sent at the latest, in milliseconds of the monotonic clock
   */
  hold(url: ReadyUrl, sentBy: number): void {
    const level = levelOf(url)
    const passedByNext = sentBy + PATIENCE_MS
    const passedByAll = url.attempts === 0 ? sentBy + FIRST_PATIENCE_MS : passedByNext
    this.#unsettled ??= new Map()
    const urls = this.#unsettled.get(level)
    if (urls === undefined) this.#unsettled.set(level, { count: 1, passedByNext, passedByAll })
    else {
      urls.count++
      urls.passedByNext = Math.max(urls.passedByNext, passedByNext)
      urls.passedByAll = Math.max(urls.passedByAll, passedByAll)
    }
  }

  /** Notes that a URL of a level is no longer in flight. */
  release(level: number): void {
    const urls = this.#unsettled?.get(level)
    if (urls === undefined || --urls.count > 0) return
    this.#unsettled?.delete(level)
    if (this.#unsettled?.size === 0) this.#unsettled = undefined
  }

  #forgetDeferred(): void {
    this.#deferredAhead = []
    this.#mayHaveDeferred = true
  }

  /** Drops the URLs that were read ahead when a new one belongs before the last of them. */
  #reviewAhead(level: number): void {
    const last = this.#ahead[0]
    if (last !== undefined && level < levelOf(last)) this.#ahead = []
    this.#mayHaveMore = true
  }
}
