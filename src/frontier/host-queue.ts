import { levelOf } from '../wire/crawl-url.ts'
import { HostRobots } from './host-robots.ts'
import type { ReadyUrl, UrlStore } from './url-store.ts'

/** URLs read ahead from the store, per host. */
const READ_AHEAD = 64

/** Whether a host may be asked for a page now. */
export type HostStatus = 'ready' | 'snoozed' | 'blocked' | 'exhausted'

/**
 * The URLs of one host that wait, and the manners that are due to it.
 *
 * It hands out in level order: nothing as long as something nearer to the seeds is in flight or
 * waits for another attempt. That makes depths on one host exact, whatever the timing.
 */
export class HostQueue {
  readonly id: number
  readonly key: string
  readonly robots = new HostRobots()
  /** Requests to the host, robots.txt included. */
  inFlight = 0
  /** No request before this time, in milliseconds of the monotonic clock. */
  notBefore = 0
  /** Where the schedule keeps the host. */
  placed: 'ready' | 'snoozed' | 'nowhere' = 'nowhere'

  readonly #store: UrlStore
  readonly #perHost: number
  readonly #delay: number
  /** How many URLs are in flight or wait for another attempt, by level. */
  readonly #unsettled = new Map<number, number>()
  #waiting = 0
  #ahead: ReadyUrl[] = []

  constructor(
    id: number,
    key: string,
    store: UrlStore,
    manners: { readonly perHost: number; readonly delay: number },
  ) {
    this.id = id
    this.key = key
    this.#store = store
    this.#perHost = manners.perHost
    this.#delay = manners.delay
  }

  /** Pause between two requests, in milliseconds. */
  get delay(): number {
    return Math.max(this.#delay, this.robots.crawlDelay)
  }

  status(now: number): HostStatus {
    const head = this.head
    if (head === undefined) return 'exhausted'
    if (this.robots.asking !== undefined) return 'blocked'
    const limit = this.delay > 0 ? 1 : this.#perHost
    if (this.inFlight >= limit || levelOf(head) > this.#lowestUnsettled()) return 'blocked'
    return now < this.notBefore ? 'snoozed' : 'ready'
  }

  /** The URL that is next. */
  get head(): ReadyUrl | undefined {
    if (this.#ahead.length === 0 && this.#waiting > 0) {
      this.#ahead = this.#store.ready(this.id, READ_AHEAD).reverse()
    }
    return this.#ahead.at(-1)
  }

  /** A URL of this host joined those that wait, or moved to a nearer level. */
  joined(level: number, isNew: boolean): void {
    if (isNew) this.#waiting++
    const last = this.#ahead[0]
    // What was read ahead is stale when the newcomer belongs before its end.
    if (last !== undefined && level < levelOf(last)) this.#ahead = []
  }

  /** The head leaves the queue. */
  shift(): void {
    this.#ahead.pop()
    this.#waiting--
  }

  hold(level: number): void {
    this.#unsettled.set(level, (this.#unsettled.get(level) ?? 0) + 1)
  }

  release(level: number): void {
    const left = (this.#unsettled.get(level) ?? 0) - 1
    if (left > 0) this.#unsettled.set(level, left)
    else this.#unsettled.delete(level)
  }

  /** A request to the host has ended: the delay runs from here. */
  answered(now: number): void {
    this.inFlight--
    this.notBefore = Math.max(this.notBefore, now + this.delay)
  }

  #lowestUnsettled(): number {
    let lowest = Number.POSITIVE_INFINITY
    for (const level of this.#unsettled.keys()) lowest = Math.min(lowest, level)
    return lowest
  }
}
