import type { DatabaseSync } from 'node:sqlite'
import { stored, storedJson } from '../../database/stored-value.ts'
import type { Beside } from '../../messages/messages.ts'
import { unpackLinks } from '../../messages/pack-links.ts'
import { besideForm, outlinksForm } from './stored-rows.ts'

/** What a visited page leads to. */
interface Outlinks {
  readonly links: readonly string[]
  readonly beside: readonly Beside[]
}

/** Outlinks of pages that were visited ahead of others, and may yet turn out to be nearer. */
export class OutlinkStore {
  readonly #put
  readonly #get
  readonly #drop
  readonly #remove
  readonly #count
  #size = 0

  constructor(database: DatabaseSync) {
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO outlinks (page, depth, links, beside) VALUES (?, ?, ?, ?)',
    )
    this.#get = database.prepare('SELECT links, beside FROM outlinks WHERE page = ?')
    this.#count = database.prepare('SELECT count(*) AS pages FROM outlinks')
    this.#drop = database.prepare('DELETE FROM outlinks WHERE depth <= ?')
    this.#remove = database.prepare('DELETE FROM outlinks WHERE page = ?')
  }

  put(page: number, depth: number, links: Uint8Array | undefined, beside: readonly Beside[]): void {
    this.#put.run(page, depth, links ?? null, JSON.stringify(beside))
    this.#size++
  }

  get(page: number): Outlinks {
    const row = this.#get.get(page)
    if (row === undefined) return { links: [], beside: [] }
    const { links, beside } = stored(outlinksForm, row, 'outlinks')
    return {
      links: links === null ? [] : unpackLinks(links, 'outlinks.links'),
      beside: storedJson(besideForm, beside, 'outlinks.beside'),
    }
  }

  /** Forgets a page. */
  remove(page: number): void {
    if (this.#size > 0) this.#size -= Number(this.#remove.run(page).changes)
  }

  /** To be called where pages may be left from an earlier run. */
  recount(): void {
    this.#size = Number(this.#count.get()?.['pages'])
  }

  /** Forgets the pages that no shorter path can reach any more. */
  dropUpTo(depth: number): void {
    if (this.#size === 0) return
    this.#size = Math.max(0, this.#size - Number(this.#drop.run(depth).changes))
  }
}
