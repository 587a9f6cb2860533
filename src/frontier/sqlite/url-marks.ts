import { UrlKey } from '../../seen/url-key.ts'
import type { Store } from '../../state/store.ts'
import { hostKey } from '../../url/host-key.ts'
import { startPlace } from '../shortest-path/discovery.ts'
import { WallClock } from '../wall-clock.ts'
import { HostStore } from './host-store.ts'
import { STATE, type State } from './tables.ts'
import { UrlStore } from './url-store.ts'

/** States of a URL that a crawl is done with. */
const DONE: ReadonlySet<State> = new Set([
  STATE.visited,
  STATE.failed,
  STATE.forbidden,
  STATE.skipped,
  STATE.marked,
  STATE.hostFailed,
])

/** Tells the table of URLs what another way than the crawl has met; to be used while no crawl goes on. */
export class UrlMarks {
  readonly #urls: UrlStore
  readonly #hosts: HostStore
  readonly #keys: UrlKey

  constructor({ database, hashKey }: Pick<Store, 'database' | 'hashKey'>) {
    this.#urls = new UrlStore(database)
    this.#hosts = new HostStore(database, new WallClock())
    this.#keys = new UrlKey(hashKey)
  }

  /**
   * Sees to it that a URL is not fetched any more.
   * @returns whether it was new
   */
  mark(url: string): boolean {
    const key = this.#keys.of(url)
    const isNew = this.#urls.insert(key, url, this.#hostOf(url), startPlace('link'))
    const known = this.#urls.find(key, url)
    if (known === undefined || DONE.has(known.state)) return isNew
    this.#urls.setState(known.id, STATE.marked)
    return isNew || known.state === STATE.forgotten
  }

  /** @returns whether it was known */
  forget(url: string): boolean {
    const known = this.#urls.find(this.#keys.of(url), url)
    if (known === undefined || known.state === STATE.forgotten) return false
    this.#urls.forget(known.id)
    return true
  }

  #hostOf(url: string): number {
    const key = hostKey(url)
    return (this.#hosts.find(key) ?? this.#hosts.insert(key)).id
  }
}
