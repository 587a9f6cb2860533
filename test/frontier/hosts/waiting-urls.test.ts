import { expect, it, vi } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { WaitingUrls } from '../../../src/frontier/hosts/waiting-urls.ts'
import { startPlace } from '../../../src/frontier/shortest-path/discovery.ts'
import { UrlStore } from '../../../src/frontier/storage/url-store.ts'
import { levelOf } from '../../../src/records/crawl-url.ts'
import { seededRandom } from '../../support/random.ts'

const HOST = { id: 1, key: 'a.test' }
const PAGE = 'http://b.test/'

class Host {
  readonly #store = new UrlStore(openTemporaryDatabase())
  /** The calls that read waiting URLs from the table. */
  readonly reads = vi.spyOn(this.#store, 'ready')
  readonly urls = new WaitingUrls(HOST, this.#store)
  /** The row of the page on which all URLs are found. */
  readonly #page = this.#store.insert(0, PAGE, 2, startPlace('seed')) ?? null

  /** Adds a URL. @param isWhole true if its row is known, so that it needn't be read */
  add(number: number, depth: number, isWhole: boolean): void {
    const url = `http://a.test/${number}`
    const place = { ...startPlace('link'), depth, via: this.#page }
    const id = this.#store.insert(number, url, 1, place)
    if (id === undefined) throw new Error(`${url} is known`)
    if (isWhole) this.urls.append(id, url, place, PAGE)
    else this.urls.joined(levelOf(place))
  }

  /** Hands out the next URL. Returns its row, and the row that comes first in the table. */
  take() {
    const next = this.urls.head
    const [first] = this.#store.ready(HOST, 1)
    if (next !== undefined) {
      this.urls.shift()
      this.#store.handOut(next.id)
    }
    return { next, first }
  }
}

it('hands out the URLs of a host in the order of the table, however they were added', () => {
  const host = new Host()
  const random = seededRandom(3)
  let added = 0
  for (let step = 0; step < 3_000; step++) {
    // Now and then, many URLs wait.
    if (random() < (step % 500 < 100 ? 0.8 : 0.45)) {
      host.add(++added, Math.floor(random() * 4), random() < 0.8)
    } else {
      const { next, first } = host.take()
      expect(next).toEqual(first)
    }
  }
  expect(added).toBeGreaterThan(1_000)
})

it('reads the table once for a host whose URLs are found one by one', () => {
  const host = new Host()
  const { urls, reads } = host
  expect(urls.head).toBeUndefined()
  for (let number = 1; number <= 100; number++) {
    host.add(number, 1, true)
    expect(urls.head?.url).toBe(`http://a.test/${number}`)
    urls.shift()
  }
  expect(reads).toHaveBeenCalledTimes(1)
})

it('hands out deferred URLs from the nearest or from the farthest, as set', () => {
  const host = new Host()
  const { urls } = host
  for (const depth of [1, 2, 3]) host.add(depth, depth, true)
  for (let head = urls.head; head !== undefined && !urls.isDeferred; head = urls.head)
    urls.defer(head)
  expect(urls.head?.depth).toBe(1)
  urls.deferredOrder = 'farthest-first'
  expect(urls.head?.depth).toBe(3)
  host.take()
  host.add(4, 4, true)
  if (urls.head !== undefined) urls.defer(urls.head)
  expect(urls.head?.depth).toBe(4)
  urls.deferredOrder = 'nearest-first'
  expect(urls.head?.depth).toBe(1)
})
