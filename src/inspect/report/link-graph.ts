import type { DatabaseSync } from 'node:sqlite'
import { cutText } from './cut-text.ts'
import type { GraphData, GraphPage } from './embedded-graph.ts'
import { OUTCOME } from './visit-statistics.ts'

/** Maximum numbers of pages and links, which a browser can lay out and draw quickly. */
const MAX_PAGES = 2_000
const MAX_LINKS = 20_000

// Ordered by depth. Pages of the same depth are ordered by the number of pages that they led to.
const NEAREST_VISITS = `
  SELECT url, ${OUTCOME} AS outcome, depth, visits.via AS via, target FROM visits
  LEFT JOIN (SELECT via AS page, count(*) AS found FROM visits WHERE via IS NOT NULL GROUP BY via)
    ON page = url
  ORDER BY depth IS NULL, depth, ifnull(found, 0) DESC, visits.id LIMIT ${MAX_PAGES}`

/** The visits nearest to the seeds, and the links between them. */
export class SiteGraph {
  readonly #pages: readonly GraphPage[]
  readonly #places: ReadonlyMap<unknown, number>
  /** Links, each as one number made of the indexes of both pages. */
  readonly #links = new Set<number>()
  #isCut = false

  /** Starts with the links known from visits: first links and redirects. */
  constructor(database: DatabaseSync) {
    const rows = database.prepare(NEAREST_VISITS).all()
    this.#places = new Map(rows.map(({ url }, place) => [url, place]))
    this.#pages = rows.map(({ url, outcome, depth, via }, place) => {
      const finder = this.#places.get(via) ?? -1
      const shown = typeof outcome === 'string' ? cutText(outcome) : (outcome as number | null)
      return [cutText(String(url)), shown, depth as number | null, finder === place ? -1 : finder]
    })
    for (const { url, via, target } of rows) {
      this.add(via, url)
      this.add(url, target)
    }
  }

  /** Adds a link; ignores links to other pages, and of a page to itself. */
  add(from: unknown, to: unknown): void {
    const [first, second] = [this.#places.get(from), this.#places.get(to)]
    if (first === undefined || second === undefined || first === second) return
    const link = first * MAX_PAGES + second
    if (this.#links.size < MAX_LINKS) this.#links.add(link)
    else this.#isCut ||= !this.#links.has(link)
  }

  /** True if there are more links between these pages. */
  get isCut(): boolean {
    return this.#isCut
  }

  get data(): GraphData {
    const pairs = [...this.#links].map((link) => [Math.floor(link / MAX_PAGES), link % MAX_PAGES])
    return { pages: this.#pages, links: pairs.flat() }
  }
}
