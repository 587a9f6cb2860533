import type { DatabaseSync } from 'node:sqlite'

const ANCHORS = 'SELECT anchors FROM pages WHERE url = ?'
/** Maximum number of pages whose anchors are cached, and maximum bytes of all these anchors. */
const MAX_CACHED_PAGES = 1_000
const MAX_CACHED_BYTES = 2 ** 24
/** Bytes that a name takes in a set, without its text. */
const BYTES_PER_NAME = 50

/** The names in pages that fragments can lead to, in the tables of a link check. */
export class PageAnchors {
  readonly #anchors
  readonly #cached = new Map<string, ReadonlySet<string> | undefined>()
  #cachedBytes = 0

  constructor(database: DatabaseSync) {
    this.#anchors = database.prepare(ANCHORS)
  }

  /** Returns the names in a page; undefined if they are unknown. */
  of(url: string): ReadonlySet<string> | undefined {
    if (!this.#cached.has(url)) {
      if (this.#cached.size >= MAX_CACHED_PAGES || this.#cachedBytes >= MAX_CACHED_BYTES) {
        this.#cached.clear()
        this.#cachedBytes = 0
      }
      this.#cached.set(url, this.#read(url))
    }
    return this.#cached.get(url)
  }

  #read(url: string): ReadonlySet<string> | undefined {
    const anchors = this.#anchors.get(url)?.['anchors']
    if (typeof anchors !== 'string') return undefined
    const names = new Set<string>(JSON.parse(anchors))
    this.#cachedBytes += anchors.length + BYTES_PER_NAME * names.size
    return names
  }
}
