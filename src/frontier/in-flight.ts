import { type CrawlUrl, levelOf, type Standing } from '../records/crawl-url.ts'
import { Heap } from './heap.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import type { DepthTally } from './shortest-path/depth-tally.ts'
import type { Rereads } from './sqlite/rereads.ts'
import type { ReadyUrl } from './sqlite/stored-url.ts'
import { STATE, type State } from './sqlite/tables.ts'
import type { UrlStore } from './sqlite/url-store.ts'

/** A URL that was handed out and is not settled. */
export interface Lease {
  readonly crawlUrl: CrawlUrl
  readonly host: HostQueue
  /** When it was handed out, in milliseconds of the monotonic clock. */
  readonly askedAt: number
  /** A shorter path that turned up meanwhile. */
  shorter?: Standing
  /** The answer is there, and waits for its turn to be settled. */
  isAnswered?: boolean
  /** The host is another process's by now: the answer is of no use. */
  isLost?: boolean
}

/** Where a leased URL stands by now. */
export function placeOf(lease: Lease): Standing {
  return lease.shorter ?? lease.crawlUrl
}

/** The URLs that are in flight, or wait for another attempt. */
export class Leases {
  readonly #urls: UrlStore
  readonly #unfinished: DepthTally
  readonly #rereads: Rereads
  readonly #leases = new Map<number, Lease>()
  readonly #retries = new Heap<Lease>()
  #answered = 0

  constructor(urls: UrlStore, unfinished: DepthTally, rereads: Rereads) {
    this.#urls = urls
    this.#unfinished = unfinished
    this.#rereads = rereads
  }

  get size(): number {
    return this.#leases.size
  }

  /** Those that are in flight or will be. */
  get underWay(): number {
    return this.#leases.size - this.#answered
  }

  /** When the next attempt is due, in milliseconds of the monotonic clock. */
  get retryAt(): number | undefined {
    return this.#retries.firstAt
  }

  get(id: number): Lease | undefined {
    return this.#leases.get(id)
  }

  /** Hands out the head of a host's queue. */
  grant(host: HostQueue, head: ReadyUrl, askedAt: number): CrawlUrl {
    const isReread = this.#rereads.has(head.id)
    const crawlUrl = crawlUrlOf(head, this.#unfinished.shallowest, isReread)
    host.urls.shift()
    host.urls.hold(levelOf(head))
    host.asked(head.attempts === 0)
    this.#urls.handOut(head.id)
    this.#leases.set(head.id, { crawlUrl, host, askedAt })
    return crawlUrl
  }

  /** The URL is finished, one way or the other. */
  settle(lease: Lease, state: State): void {
    const { id, isReread } = lease.crawlUrl
    if (isReread === true) this.#rereads.remove(id)
    this.#urls.setState(id, isReread === true ? STATE.visited : state)
    this.#unfinished.remove(placeOf(lease).depth)
    this.#drop(lease)
  }

  /** The answer is there, and the URL keeps its lease until it is settled. */
  answer(lease: Lease): void {
    lease.isAnswered = true
    this.#answered++
  }

  /** The URL keeps its lease until another attempt is due at `at`. */
  postpone(lease: Lease, at: number): void {
    this.#retries.push(at, lease)
  }

  /** URLs whose next attempt is due go back to their hosts' queues. */
  *wake(now: number): Generator<HostQueue> {
    for (let due = this.#retries.popDue(now); due; due = this.#retries.popDue(now)) {
      this.#comeBack(due.value)
      yield due.value.host
    }
  }

  /** URLs of a host that wait for another attempt go back to its queue at once. */
  recall(host: HostQueue): void {
    for (const lease of this.#retries.extract((each) => each.host === host)) this.#comeBack(lease)
  }

  /** A URL goes back to its host's queue at once. */
  putBack(id: number): void {
    const lease = this.#leases.get(id)
    if (lease !== undefined) this.#comeBack(lease)
  }

  /** What is in flight at a host is of no use any more. */
  lose(host: HostQueue): void {
    for (const lease of this.#leases.values()) if (lease.host === host) lease.isLost = true
  }

  #comeBack(lease: Lease): void {
    this.#urls.setState(lease.crawlUrl.id, STATE.ready)
    this.#drop(lease)
    lease.host.urls.joined(levelOf(placeOf(lease)))
  }

  #drop(lease: Lease): void {
    this.#leases.delete(lease.crawlUrl.id)
    if (lease.isAnswered === true) this.#answered--
    lease.host.urls.release(levelOf(lease.crawlUrl))
  }
}

/** @param shallowest least depth of all that is unfinished: nothing nearer can turn up any more */
export function crawlUrlOf(ready: ReadyUrl, shallowest: number, isReread: boolean): CrawlUrl {
  const { id, url, depth, sidesteps, redirects, hop, via, failures } = ready
  const attempt = ready.attempts + 1
  const keepLinks = attempt > 1 || depth > shallowest
  const found = { id, url, depth, sidesteps, redirects, hop, attempt, failures, keepLinks }
  return { ...found, ...(via !== null && { via }), ...(isReread && { isReread: true }) }
}
