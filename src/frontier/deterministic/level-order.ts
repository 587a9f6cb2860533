import { Fifo } from '../../collections/fifo.ts'
import { isSeedOrItsRedirect } from '../../records/crawl-url.ts'
import type { ReadyUrlOrder } from '../storage/ready-url-order.ts'
import { type OrderedUrl, URL_STATE, type UrlState } from '../storage/stored-url.ts'
import type { UrlStore } from '../storage/url-store.ts'

/** Maximum URLs that are admitted at a time. Another number would change the order in rare cases. */
const WINDOW = 512

/** Counts the URLs that are not finished. */
interface UnfinishedUrls {
  remove(depth: number): void
}

interface DroppedUrl {
  readonly depth: number
  /** The state to set when the URL is settled. */
  readonly state: UrlState
}

/**
 * The order in which URLs are settled with `--deterministic`: level by level over all hosts, and by
 * discovery within a level. All URLs of a level are known when it begins, so the order depends only on
 * the URLs that were settled before. The next URLs are admitted: they may be fetched at the same time, in any order.
 *
 * Seeds and the targets of their redirects are admitted alone. They may extend the scope to another host, or
 * name sitemaps, and that must happen before any other page can link there.
 */
export class LevelOrder {
  readonly #urls: ReadyUrlOrder
  readonly #known: Pick<UrlStore, 'setState'>
  readonly #unfinished: UnfinishedUrls
  readonly #queue = new Fifo<OrderedUrl>()
  readonly #admitted = new Set<number>()
  /** Dropped URLs whose turn to be settled has not come yet. */
  readonly #dropped = new Map<number, DroppedUrl>()
  #next: OrderedUrl | undefined
  #last: OrderedUrl | undefined

  constructor(urls: ReadyUrlOrder, known: Pick<UrlStore, 'setState'>, unfinished: UnfinishedUrls) {
    this.#urls = urls
    this.#known = known
    this.#unfinished = unfinished
  }

  /** Returns whether a URL may be handed out. */
  admits(id: number): boolean {
    return this.#admitted.has(id)
  }

  /** The URL to be settled next; undefined if none is admitted. */
  get next(): number | undefined {
    return this.#next?.id
  }

  /** True if the next URL has to be settled before another is admitted. */
  get isAlone(): boolean {
    return this.#next !== undefined && isSeedOrItsRedirect(this.#next)
  }

  /**
   * Notes that a URL was dropped. It is settled when its turn comes. If the run ends before, nothing was written about
   * the URL, and the next run drops it again.
   */
  drop(id: number, dropped: DroppedUrl): void {
    this.#known.setState(id, URL_STATE.inFlight)
    this.#dropped.set(id, dropped)
  }

  /** Notes that the next URL is settled, and moves on to the one after it. */
  pass(): void {
    const id = this.#next?.id
    if (id !== undefined) this.#settle(id)
    this.#next = this.#queue.shift()
  }

  #settle(id: number): void {
    this.#admitted.delete(id)
    const dropped = this.#dropped.get(id)
    if (dropped === undefined) return
    this.#dropped.delete(id)
    this.#known.setState(id, dropped.state)
    this.#unfinished.remove(dropped.depth)
  }

  /**
   * Admits the next URLs until the window is full.
   * @param limit maximum URLs that are admitted at a time
   * @returns the keys of their hosts
   */
  admit(limit: number): string[] {
    const room = Math.min(WINDOW, limit) - this.#admitted.size
    if (room <= 0 || this.isAlone) return []
    const hosts: string[] = []
    for (const url of this.#candidates(room)) {
      if (isSeedOrItsRedirect(url) && this.#next !== undefined) break
      this.#add(url)
      hosts.push(url.host)
    }
    return hosts
  }

  #add(url: OrderedUrl): void {
    this.#admitted.add(url.id)
    this.#last = url
    if (this.#next === undefined) this.#next = url
    else this.#queue.push(url)
  }

  /** Returns the next URLs of the current level. A level begins when all URLs of the one before it are settled. */
  #candidates(room: number): OrderedUrl[] {
    const last = this.#next === undefined ? undefined : this.#last
    if (last !== undefined) return this.#urls.after(last, room)
    const first = this.#urls.first()
    return first === undefined ? [] : this.#urls.after({ ...first, id: 0 }, room)
  }
}
