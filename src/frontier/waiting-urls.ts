import { levelOf } from '../wire/crawl-url.ts'
import type { ReadyUrl, UrlStore } from './url-store.ts'

/** URLs read ahead from the store, per host. */
const READ_AHEAD = 64

/** The URLs of one host that wait, in level order, and the levels of those that are not settled. */
export class WaitingUrls {
  readonly #host: number
  readonly #store: UrlStore
  /** How many URLs are in flight or wait for another attempt, by level. */
  readonly #unsettled = new Map<number, number>()
  #size: number
  #ahead: ReadyUrl[] = []

  /** @param size how many wait already */
  constructor(host: number, store: UrlStore, size: number) {
    this.#host = host
    this.#size = size
    this.#store = store
  }

  get size(): number {
    return this.#size
  }

  /** Whether any is in flight or waits for another attempt. */
  get hasUnsettled(): boolean {
    return this.#unsettled.size > 0
  }

  /** The URL that is next. */
  get head(): ReadyUrl | undefined {
    if (this.#ahead.length === 0 && this.#size > 0) {
      this.#ahead = this.#store.ready(this.#host, READ_AHEAD).reverse()
    }
    return this.#ahead.at(-1)
  }

  /** Whether something nearer to the seeds is in flight or waits for another attempt. */
  isAhead(head: ReadyUrl): boolean {
    const level = levelOf(head)
    for (const unsettled of this.#unsettled.keys()) if (unsettled < level) return true
    return false
  }

  /** A URL joined, or moved to a nearer level. */
  joined(level: number, isNew: boolean): void {
    if (isNew) this.#size++
    const last = this.#ahead[0]
    // What was read ahead is stale when the newcomer belongs before its end.
    if (last !== undefined && level < levelOf(last)) this.#ahead = []
  }

  /** The head leaves. */
  shift(): void {
    this.#ahead.pop()
    this.#size--
  }

  hold(level: number): void {
    this.#unsettled.set(level, (this.#unsettled.get(level) ?? 0) + 1)
  }

  release(level: number): void {
    const left = (this.#unsettled.get(level) ?? 0) - 1
    if (left > 0) this.#unsettled.set(level, left)
    else this.#unsettled.delete(level)
  }
}
