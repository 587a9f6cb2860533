import type { DatabaseSync } from 'node:sqlite'
import { cut } from './cut.ts'
import type { LinkingPage, LinkingPages } from './data-table.ts'
import { MOST_HOPS } from './redirects.ts'

/** Pages that a report names for one URL, and in all. */
const MOST_PAGES = 100
const MOST_IN_ALL = 50_000
/** Characters of what a link shows. */
const MOST_TEXT = 80

const PAGES = `
  SELECT url, way, text FROM links JOIN pages ON id = page WHERE broken = ? ORDER BY page LIMIT ?`

/** Finds the pages that link to a broken URL, in the tables of `addLinkTables`. */
export class LinkFinder {
  readonly #pages
  readonly #next
  readonly #totals: ReadonlyMap<number, number>
  /** Pages named for a URL: where there is no room for all, each has the same share. */
  readonly #most: number

  constructor(database: DatabaseSync) {
    this.#pages = database.prepare(PAGES)
    this.#next = database.prepare('SELECT next FROM ways WHERE url = ?')
    const counts = database.prepare('SELECT broken, count(*) AS total FROM links GROUP BY broken')
    this.#totals = new Map(counts.all().map(({ broken, total }) => [Number(broken), Number(total)]))
    this.#most = shareOf([...this.#totals.values()])
  }

  /** Those of a visit, by its number; null where none is known. */
  pagesOf(broken: number): LinkingPages | null {
    const total = this.#totals.get(broken)
    if (total === undefined) return null
    const rows = this.#pages.all(broken, this.#most)
    return { total, pages: rows.map((row) => this.#pageOf(row)) }
  }

  #pageOf({ url, way, text }: Record<string, unknown>): LinkingPage {
    const by = this.#redirectsFrom(String(way))
    return {
      url: cut(String(url)),
      ...(text !== null && { text: cut(String(text), MOST_TEXT) }),
      ...(by.length > 0 && { by }),
    }
  }

  /** The redirects between what a page links to and what is broken. */
  #redirectsFrom(way: string): string[] {
    const redirects: string[] = []
    for (let url = way; redirects.length < MOST_HOPS; ) {
      const next = this.#next.get(url)?.['next'] ?? null
      if (next === null) break
      redirects.push(cut(url))
      url = String(next)
    }
    return redirects
  }
}

/** The greatest share of each with which all have room. */
function shareOf(totals: readonly number[]): number {
  const fits = (share: number) =>
    totals.reduce((sum, total) => sum + Math.min(total, share), 0) <= MOST_IN_ALL
  let share = MOST_PAGES
  while (share > 1 && !fits(share)) share -= 1
  return share
}
