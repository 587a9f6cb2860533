import { levelOf } from '../../records/crawl-url.ts'
import type { HostName, ReadyUrl } from './stored-url.ts'
import { STATE } from './tables.ts'
import type { UrlStore } from './url-store.ts'

/** URLs read ahead from the store, per host: many hosts are in memory that give one now and then. */
const READ_FIRST = 4
const READ_MORE = 32
/** URLs that are recalled in one go, which takes half a second: a pattern may be suspected again and again. */
const RECALLED = 100_000

/**
 * The URLs of one host that wait, in level order, and the levels of those that are not settled.
 *
 * Those that were deferred come when nothing else is left, and nothing is in flight that may name
 * something else: one at a time.
 */
export class WaitingUrls {
  readonly #host: HostName
  readonly #store: UrlStore
  /** How many URLs are in flight or wait for another attempt, by level. */
  readonly #unsettled = new Map<number, number>()
  #size: number | undefined
  /** Whether the store may hold more than was read ahead. */
  #mayHaveMore = true
  #mayHaveDeferred = true
  #readAhead = READ_FIRST
  #ahead: ReadyUrl[] = []
  #deferredAhead: ReadyUrl[] = []

  constructor(host: HostName, store: UrlStore) {
    this.#host = host
    this.#store = store
  }

  /** Those that were deferred included. Counted when it is asked for first. */
  get size(): number {
    this.#size ??= this.#store.countWaiting(this.#host.id)
    return this.#size
  }

  /** Whether the head was deferred before. */
  get isDeferred(): boolean {
    return this.#readyHead === undefined
  }

  /** Whether any is in flight or waits for another attempt. */
  get hasUnsettled(): boolean {
    return this.#unsettled.size > 0
  }

  /** The URL that is next. */
  get head(): ReadyUrl | undefined {
    return this.#readyHead ?? this.#deferredHead
  }

  get #readyHead(): ReadyUrl | undefined {
    if (this.#ahead.length === 0 && this.#mayHaveMore) {
      this.#ahead = this.#store.ready(this.#host, this.#readAhead).reverse()
      this.#mayHaveMore = this.#ahead.length === this.#readAhead
      this.#readAhead = READ_MORE
    }
    return this.#ahead.at(-1)
  }

  get #deferredHead(): ReadyUrl | undefined {
    if (this.#unsettled.size > 0) return undefined
    if (this.#deferredAhead.length === 0 && this.#mayHaveDeferred) {
      this.#deferredAhead = this.#store.deferred(this.#host, READ_MORE).reverse()
      this.#mayHaveDeferred = this.#deferredAhead.length === READ_MORE
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
    this.#reviewAhead(level)
    if (this.#size !== undefined) this.#size++
  }

  /** One of the URLs moved to a nearer level. */
  moved(level: number): void {
    this.#forgetDeferred()
    this.#reviewAhead(level)
  }

  /** The head leaves. */
  shift(): void {
    if (this.isDeferred) this.#deferredAhead.pop()
    else this.#ahead.pop()
    if (this.#size !== undefined) this.#size--
  }

  /** The head, which is ready, waits until nothing else is left. */
  defer({ id }: ReadyUrl): void {
    this.shift()
    this.#store.setState(id, STATE.deferred)
    if (this.#size !== undefined) this.#size++
    this.#forgetDeferred()
  }

  /**
   * What was deferred need not wait any more, the nearest to the seeds first: visited in the end, each
   * would bring what was found since on a shorter path.
   */
  recall(): void {
    this.#store.recallDeferred(this.#host.id, RECALLED)
    this.#ahead = []
    this.#mayHaveMore = true
    this.#forgetDeferred()
  }

  /** None waits any more: they were taken out of the store. */
  clear(): void {
    this.#size = 0
    this.#ahead = []
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

  #forgetDeferred(): void {
    this.#deferredAhead = []
    this.#mayHaveDeferred = true
  }

  /** What was read ahead is stale when a newcomer belongs before its end. */
  #reviewAhead(level: number): void {
    const last = this.#ahead[0]
    if (last !== undefined && level < levelOf(last)) this.#ahead = []
    this.#mayHaveMore = true
  }
}
