import type { DatabaseSync } from 'node:sqlite'
import { printableText } from '../../printable-text.ts'
import { cutText } from './cut-text.ts'
import type { LinkingPage, LinkingPages } from './embedded-rows.ts'
import { MAX_HOPS } from './redirect-chains.ts'

/** Maximum number of pages that a report lists for one URL, and in total. */
const MAX_PAGES = 100
const MAX_TOTAL_PAGES = 50_000
/** Maximum characters of all these pages together, as JSON: URLs and chains of redirects may be long. */
const MAX_CHARACTERS = 12 * 2 ** 20
/** Maximum characters of a link's text. */
const MAX_TEXT = 80

const PAGES = `
  SELECT url, way, text FROM links JOIN pages ON id = page WHERE broken = ? ORDER BY page LIMIT ?`

/** Finds the pages that link to a broken URL, in the tables of `addLinkTables`. */
export class LinkFinder {
  readonly #pages
  readonly #next
  readonly #totals: ReadonlyMap<number, number>
  /** Maximum number of pages listed per URL. If the report has no room for all, each URL has the same limit. */
  readonly #maxPages: number
  #charactersLeft = MAX_CHARACTERS

  constructor(database: DatabaseSync) {
    this.#pages = database.prepare(PAGES)
    this.#next = database.prepare('SELECT next FROM ways WHERE url = ?')
    const counts = database.prepare('SELECT broken, count(*) AS total FROM links GROUP BY broken')
    this.#totals = new Map(counts.all().map(({ broken, total }) => [Number(broken), Number(total)]))
    this.#maxPages = greatestFittingLimit([...this.#totals.values()])
  }

  /** Returns the pages that link to a broken URL, by the id of its visit; null if none is known. */
  pagesOf(broken: number): LinkingPages | null {
    const total = this.#totals.get(broken)
    if (total === undefined) return null
    const pages: LinkingPage[] = []
    for (const row of this.#pages.all(broken, this.#maxPages)) {
      const page = this.#pageOf(row)
      this.#charactersLeft -= JSON.stringify(page).length
      if (this.#charactersLeft < 0) break
      pages.push(page)
    }
    return { total, pages }
  }

  #pageOf({ url, way, text }: Record<string, unknown>): LinkingPage {
    const by = this.#redirectsFrom(String(way))
    return {
      url: cutText(String(url)),
      ...(text !== null && { text: printableText(String(text), MAX_TEXT) }),
      ...(by.length > 0 && { by }),
    }
  }

  /** Returns the redirects between a link and the broken URL. */
  #redirectsFrom(way: string): string[] {
    const redirects: string[] = []
    for (let url = way; redirects.length < MAX_HOPS; ) {
      const next = this.#next.get(url)?.['next'] ?? null
      if (next === null) break
      redirects.push(cutText(url))
      url = String(next)
    }
    return redirects
  }
}

/** Returns the largest limit per URL with which the pages of all URLs fit into the report. */
function greatestFittingLimit(totals: readonly number[]): number {
  const fits = (share: number) =>
    totals.reduce((sum, total) => sum + Math.min(total, share), 0) <= MAX_TOTAL_PAGES
  let share = MAX_PAGES
  while (share > 1 && !fits(share)) share -= 1
  return share
}
