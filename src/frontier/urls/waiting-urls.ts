import { levelOf } from '../../wire/crawl-url.ts'
import { STATE } from './tables.ts'
import type { ReadyUrl, UrlStore } from './url-store.ts'

/** URLs read ahead from the store, per host. */
const READ_AHEAD = 64

/**
 * The URLs of one host that wait, in level order, and the levels of those that are not settled.
 *
 * Those that were deferred come when nothing else is left, and nothing is in flight that may name
 * something else: one at a time.
 */
export class WaitingUrls {
  readonly #host: number
  readonly #store: UrlStore
  /** How many URLs are in flight or wait for another attempt, by level. */
  readonly #unsettled = new Map<number, number>()
  #ready: number
  #deferred = 0
  #ahead: ReadyUrl[] = []
  #deferredAhead: ReadyUrl[] = []

  /** @param size how many wait already, none of them deferred */
  constructor(host: number, store: UrlStore, size: number) {
    this.#host = host
    this.#ready = size
    this.#store = store
  }

  /** Those that were deferred included. */
  get size(): number {
    return this.#ready + this.#deferred
  }

  /** Whether the head was deferred before. */
  get isDeferred(): boolean {
    return this.#ready === 0
  }

  /** Whether any is in flight or waits for another attempt. */
  get hasUnsettled(): boolean {
    return this.#unsettled.size > 0
  }

  /** The URL that is next. */
  get head(): ReadyUrl | undefined {
    return this.isDeferred ? this.#deferredHead : this.#readyHead
  }

  get #readyHead(): ReadyUrl | undefined {
    if (this.#ahead.length === 0) {
      this.#ahead = this.#store.ready(this.#host, READ_AHEAD).reverse()
    }
    return this.#ahead.at(-1)
  }

  get #deferredHead(): ReadyUrl | undefined {
    if (this.#deferred === 0 || this.#unsettled.size > 0) return undefined
    if (this.#deferredAhead.length === 0) {
      this.#deferredAhead = this.#store.deferred(this.#host, READ_AHEAD).reverse()
    }
    return this.#deferredAhead.at(-1)
  }

  /** Whether something nearer to the seeds is in flight or waits for another attempt. */
  isAhead(head: ReadyUrl): boolean {
    const level = levelOf(head)
    for (const unsettled of this.#unsettled.keys()) if (unsettled < level) return true
    return false
  }

  /** A URL joined. */
  joined(level: number): void {
    this.#ready++
    this.#reviewAhead(level)
  }

  /** One of the URLs moved to a nearer level. */
  moved(level: number): void {
    this.#deferredAhead = []
    this.#reviewAhead(level)
  }

  /** The head leaves. */
  shift(): void {
    if (this.isDeferred) {
      this.#deferredAhead.pop()
      this.#deferred--
    } else {
      this.#ahead.pop()
      this.#ready--
    }
  }

  /** The head, which is ready, waits until nothing else is left. */
  defer({ id }: ReadyUrl): void {
    this.shift()
    this.#store.setState(id, STATE.deferred)
    this.#deferred++
    this.#deferredAhead = []
  }

  hold(level: number): void {
    this.#unsettled.set(level, (this.#unsettled.get(level) ?? 0) + 1)
  }

  release(level: number): void {
    const left = (this.#unsettled.get(level) ?? 0) - 1
    if (left > 0) this.#unsettled.set(level, left)
    else this.#unsettled.delete(level)
  }

  /** What was read ahead is stale when a newcomer belongs before its end. */
  #reviewAhead(level: number): void {
    const last = this.#ahead[0]
    if (last !== undefined && level < levelOf(last)) this.#ahead = []
  }
}
