import type { DatabaseSync } from 'node:sqlite'
import { cut } from './cut.ts'
import type { LinkingPage, LinkingPages } from './data-table.ts'
import { MOST_HOPS } from './redirects.ts'

/** Maximum number of pages that a report lists for one URL, and in total. */
const MOST_PAGES = 100
const MOST_IN_ALL = 50_000
/** Maximum characters of a link's text. */
const MOST_TEXT = 80

const PAGES = `
  SELECT url, way, text FROM links JOIN pages ON id = page WHERE broken = ? ORDER BY page LIMIT ?`

/** Finds the pages that link to a broken URL, in the tables of `addLinkTables`. */
export class LinkFinder {
  readonly #pages
  readonly #next
  readonly #totals: ReadonlyMap<number, number>
  /** Pages listed per URL: when there is no room for all, each URL has the same limit. */
  readonly #most: number

  constructor(database: DatabaseSync) {
    this.#pages = database.prepare(PAGES)
    this.#next = database.prepare('SELECT next FROM ways WHERE url = ?')
    const counts = database.prepare('SELECT broken, count(*) AS total FROM links GROUP BY broken')
    this.#totals = new Map(counts.all().map(({ broken, total }) => [Number(broken), Number(total)]))
    this.#most = shareOf([...this.#totals.values()])
  }

  /** Returns the pages of a visit, by its number; null if none is known. */
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

  /** Returns the redirects between a link and the broken URL. */
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

/** Returns the largest limit per URL with which all fit. */
function shareOf(totals: readonly number[]): number {
  const fits = (share: number) =>
    totals.reduce((sum, total) => sum + Math.min(total, share), 0) <= MOST_IN_ALL
  let share = MOST_PAGES
  while (share > 1 && !fits(share)) share -= 1
  return share
}
