import type { DatabaseSync } from 'node:sqlite'
import { parseStored, parseStoredJson } from '../../database/validate-stored-values.ts'
import type { SameDepthUrls } from '../../messages/outcome.ts'
import { packedBytes, unpackLinks } from '../../messages/pack-links.ts'
import { outlinksSchema, sameDepthSchema } from './stored-rows.ts'

/** URLs that a visited page leads to. */
interface StoredOutlinks {
  readonly links: readonly string[]
  readonly sameDepth: readonly SameDepthUrls[]
}

/** The table `outlinks`: outlinks of pages to which a shorter path may still be found. */
export class OutlinkStore {
  readonly #put
  readonly #get
  readonly #drop
  readonly #remove
  readonly #count
  #size = 0

  constructor(database: DatabaseSync) {
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO outlinks (page, depth, links, same_depth) VALUES (?, ?, ?, ?)',
    )
    this.#get = database.prepare('SELECT links, same_depth FROM outlinks WHERE page = ?')
    this.#count = database.prepare('SELECT count(*) AS pages FROM outlinks')
    this.#drop = database.prepare('DELETE FROM outlinks WHERE depth <= ?')
    this.#remove = database.prepare('DELETE FROM outlinks WHERE page = ?')
  }

  /** Stores the outlinks of a page; `links` are packed by `packLinks`. */
  put(
    page: number,
    depth: number,
    links: string | undefined,
    sameDepth: readonly SameDepthUrls[],
  ): void {
    const packed = links === undefined ? null : packedBytes(links)
    this.#put.run(page, depth, packed, JSON.stringify(sameDepth))
    this.#size++
  }

  /** Returns the outlinks of a page; none when they are not stored. */
  get(page: number): StoredOutlinks {
    const row = this.#get.get(page)
    if (row === undefined) return { links: [], sameDepth: [] }
    const { links, same_depth } = parseStored(outlinksSchema, row, 'outlinks')
    return {
      links: links === null ? [] : unpackLinks(links, 'outlinks.links'),
      sameDepth: parseStoredJson(sameDepthSchema, same_depth, 'outlinks.same_depth'),
    }
  }

  /** Deletes the outlinks of a page. */
  remove(page: number): void {
    if (this.#size > 0) this.#size -= Number(this.#remove.run(page).changes)
  }

  /** Counts the pages that an earlier run has left in the table. */
  recount(): void {
    this.#size = Number(this.#count.get()?.['pages'])
  }

  /** Deletes the outlinks of pages at this depth and at smaller depths. */
  dropUpTo(depth: number): void {
    if (this.#size === 0) return
    this.#size = Math.max(0, this.#size - Number(this.#drop.run(depth).changes))
  }
}
