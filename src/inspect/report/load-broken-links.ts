import type { DatabaseSync } from 'node:sqlite'
import type { TextSource } from '../../compressed-files/open-text.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { readLinks } from '../read-links.ts'
import { MAX_HOPS, RedirectChains } from './redirect-chains.ts'
import { BROKEN } from './visit-statistics.ts'

/** The broken visits of a report, limited, in the order of display. */
export const SHOWN_BROKEN = `
  FROM visits WHERE ${BROKEN} ORDER BY status IS NULL, status, url LIMIT 10000`

// Each row of `ways` is a URL that leads to a broken visit: the visit's own URL, or a redirect with the target `next`.
const TABLES = `
  CREATE INDEX by_target ON visits (target) WHERE target IS NOT NULL;
  CREATE TABLE ways (url TEXT PRIMARY KEY, broken INTEGER, next TEXT, hops INTEGER) WITHOUT ROWID;
  CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE);
  CREATE TABLE links (
    broken INTEGER, page INTEGER, way TEXT, text TEXT, PRIMARY KEY (broken, page)) WITHOUT ROWID;
  INSERT INTO ways SELECT url, id, NULL, 0 ${SHOWN_BROKEN}`
const STEP_BACK = `
  INSERT OR IGNORE INTO ways SELECT visits.url, broken, ways.url, hops + 1
  FROM ways JOIN visits ON visits.target = ways.url WHERE hops = ?`
const INSERT_LINK = `
  INSERT INTO links VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET text = ifnull(text, excluded.text)`

/**
 * Adds tables of the pages that link to broken URLs to the database of visits. The pages come from
 * the records' `via` and from a file of links. Only links that lead to a broken URL are stored, and
 * on disk, so memory stays constant.
 * @param file the output of `--links`
 * @param onLink called for every link of the file, without the link's fragment
 * @throws CrawlerError('usage') when the file can't be read, or a line is not a link
 */
export async function addLinkTables(
  database: DatabaseSync,
  file: TextSource | undefined,
  onLink: (from: string, to: string) => void,
): Promise<void> {
  database.exec(TABLES)
  const stepBack = database.prepare(STEP_BACK)
  for (let hops = 0; hops < MAX_HOPS && stepBack.run(hops).changes > 0; hops += 1);
  const table = new LinkTable(database)
  addReferrers(database, table)
  if (file === undefined) return
  for await (const { from, to, text } of readLinks(file)) {
    const url = withoutFragment(to)
    table.add(from, url, text)
    onLink(from, url)
  }
}

/** Adds the pages in the records' `via`. */
function addReferrers(database: DatabaseSync, table: LinkTable): void {
  const redirects = new RedirectChains(database)
  const named = database.prepare(
    'SELECT ways.url, via FROM ways JOIN visits USING (url) WHERE via IS NOT NULL ORDER BY visits.id',
  )
  for (const { url, via } of named.iterate()) {
    const { page, redirects: way } = redirects.sourceOf(String(via))
    if (page !== undefined) table.add(page, way[0] ?? String(url))
  }
}

class LinkTable {
  readonly #way
  readonly #insertPage
  readonly #page
  readonly #insertLink
  /** The page of the last link. The links of a page are consecutive, so it is looked up only once. */
  #last: { readonly url: string; readonly id: number } | undefined

  constructor(database: DatabaseSync) {
    this.#way = database.prepare('SELECT broken FROM ways WHERE url = ?')
    this.#insertPage = database.prepare('INSERT OR IGNORE INTO pages VALUES (NULL, ?)')
    this.#page = database.prepare('SELECT id FROM pages WHERE url = ?')
    this.#insertLink = database.prepare(INSERT_LINK)
  }

  /** @param to without a fragment; ignored unless it leads to a broken URL */
  add(from: string, to: string, text?: string): void {
    const way = this.#way.get(to)
    if (way === undefined) return
    this.#insertLink.run(Number(way['broken']), this.#idOf(from), to, text ?? null)
  }

  #idOf(url: string): number {
    if (this.#last?.url !== url) {
      this.#insertPage.run(url)
      this.#last = { url, id: Number(this.#page.get(url)?.['id']) }
    }
    return this.#last.id
  }
}
