import { NumericUrlHash } from '../../hashing/numeric-url-hash.ts'
import { WallClock } from '../../runtime/wall-clock.ts'
import type { CrawlStorage } from '../../state/crawl-storage.ts'
import { hostKey } from '../../url/host-key.ts'
import { startPlace } from '../shortest-path/discovery.ts'
import { HostStore } from '../storage/host-store.ts'
import { Rereads } from '../storage/rereads.ts'
import { URL_STATE, type UrlState } from '../storage/stored-url.ts'
import { UrlStore } from '../storage/url-store.ts'

/** States of a URL that is finished. */
const DONE: ReadonlySet<UrlState> = new Set([
  URL_STATE.visited,
  URL_STATE.failed,
  URL_STATE.forbidden,
  URL_STATE.skipped,
  URL_STATE.marked,
  URL_STATE.hostFailed,
])

/** Marks URLs as seen, or as never seen, while no crawl runs. */
export class SeenUrlMarks {
  readonly #urls: UrlStore
  readonly #hosts: HostStore
  readonly #rereads: Rereads
  readonly #keys: NumericUrlHash

  constructor({ database, hashKey }: Pick<CrawlStorage, 'database' | 'hashKey'>) {
    this.#urls = new UrlStore(database)
    this.#hosts = new HostStore(database, new WallClock())
    this.#rereads = new Rereads(database)
    this.#keys = new NumericUrlHash(hashKey)
  }

  /**
   * Marks a URL: the crawl will not fetch it.
   * @returns whether it was new
   */
  mark(url: string): boolean {
    const key = this.#keys.of(url)
    const isNew = this.#urls.insert(key, url, this.#hostOf(url), startPlace('link')) !== undefined
    const known = this.#urls.find(key, url)
    if (known === undefined || DONE.has(known.state)) return isNew
    this.#rereads.remove(known.id)
    this.#urls.setState(known.id, URL_STATE.marked)
    return isNew || known.state === URL_STATE.forgotten
  }

  /** Forgets a URL. Returns whether it was known. */
  forget(url: string): boolean {
    const known = this.#urls.find(this.#keys.of(url), url)
    if (known === undefined || known.state === URL_STATE.forgotten) return false
    this.#rereads.remove(known.id)
    this.#urls.forget(known.id)
    return true
  }

  #hostOf(url: string): number {
    const key = hostKey(url)
    return (this.#hosts.find(key) ?? this.#hosts.insert(key)).id
  }
}
