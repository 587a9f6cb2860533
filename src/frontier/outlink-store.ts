import type { DatabaseSync } from 'node:sqlite'
import { unpackLinks } from '../wire/pack-links.ts'

/** What a visited page leads to. */
export interface Outlinks {
  readonly links: readonly string[]
  readonly redirect?: string
}

/** Outlinks of pages that were visited ahead of others, and may yet turn out to be nearer. */
export class OutlinkStore {
  readonly #put
  readonly #get
  readonly #drop
  #size = 0

  constructor(database: DatabaseSync) {
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO outlinks (page, depth, links, redirect) VALUES (?, ?, ?, ?)',
    )
    this.#get = database.prepare('SELECT links, redirect FROM outlinks WHERE page = ?')
    this.#drop = database.prepare('DELETE FROM outlinks WHERE depth <= ?')
  }

  put(page: number, depth: number, links: Uint8Array | undefined, redirect?: string): void {
    this.#put.run(page, depth, links ?? null, redirect ?? null)
    this.#size++
  }

  get(page: number): Outlinks {
    const row = this.#get.get(page)
    const links = row?.['links'] instanceof Uint8Array ? unpackLinks(row['links']) : []
    const redirect = row?.['redirect']
    return typeof redirect === 'string' ? { links, redirect } : { links }
  }

  /** Forgets the pages that no shorter path can reach any more. */
  dropUpTo(depth: number): void {
    if (this.#size === 0) return
    this.#size = Math.max(0, this.#size - Number(this.#drop.run(depth).changes))
  }
}
