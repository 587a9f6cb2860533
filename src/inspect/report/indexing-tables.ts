import type { DatabaseSync } from 'node:sqlite'
import { cutText } from './cut-text.ts'
import {
  cells,
  columns,
  countRows,
  countVisits,
  MAX_ROWS,
  type ReportTable,
  rowsOf,
} from './report-table.ts'
import { BROKEN, FINE, OUTCOME, UNCHANGED } from './visit-statistics.ts'

const MAX_EXAMPLES = 5
const IS_PAGE = `(${FINE} OR ${UNCHANGED})`
const IS_HTML = `type IN ('text/html', 'application/xhtml+xml')`

/** Pages that name another URL as the canonical one, with the outcome of that URL if it was visited. */
const CANONICAL = `
  SELECT url AS page, canonical AS named,
    (SELECT ${OUTCOME} FROM visits WHERE url = pages.canonical) AS outcome,
    (SELECT iif(${BROKEN}, 2, ${IS_PAGE} = 0) FROM visits WHERE url = pages.canonical) AS defect
  FROM visits AS pages WHERE canonical <> url AND ${IS_PAGE}`

/** Returns the table of pages whose canonical URL is another one. */
export function canonicalUrls(database: DatabaseSync): ReportTable {
  const query = `SELECT outcome, named, page FROM (${CANONICAL})
    ORDER BY ifnull(defect, 0.5) DESC, page LIMIT ${MAX_ROWS}`
  return {
    ...{ id: 'canonical', title: 'Canonical URLs', total: countRows(database, CANONICAL) },
    note: 'Pages that name another URL as the canonical one, those with a broken one first. It should respond with 200; without a status, it was not visited.',
    columns: columns('Status:status', 'Canonical URL:url', 'Page:url'),
    rows: rowsOf(database, query).map(cells),
  }
}

/** Returns the table of HTML pages without a title. */
export function untitledPages(database: DatabaseSync): ReportTable {
  const condition = `ifnull(title, '') = '' AND ${IS_HTML} AND ${IS_PAGE}`
  return {
    ...{ id: 'untitled', title: 'Missing titles', ...pagesWith(database, condition) },
    note: 'HTML pages without a title, or with an empty one.',
  }
}

/** Returns the table of titles that several pages have. */
export function duplicateTitles(database: DatabaseSync): ReportTable {
  const titled = `title <> '' AND ${IS_PAGE}`
  const groups = `SELECT count(*) AS count, title FROM visits WHERE ${titled} GROUP BY title HAVING count > 1`
  const examples = database.prepare(
    `SELECT url FROM visits WHERE title = ? AND ${titled} ORDER BY url LIMIT ${MAX_EXAMPLES}`,
  )
  return {
    ...{ id: 'titles', title: 'Duplicate titles', total: countRows(database, groups) },
    note: `Successful pages with the same title, at most ${MAX_EXAMPLES} examples each.`,
    columns: columns('Pages:number', 'Title:text', 'Examples:urls'),
    rows: rowsOf(database, `${groups} ORDER BY count DESC, title LIMIT ${MAX_ROWS}`).map((row) => [
      ...cells(row),
      examples.all(String(row['title'])).map(({ url }) => cutText(String(url))),
    ]),
  }
}

/** Returns the table of pages that ask search engines not to list them. */
export function noindexPages(database: DatabaseSync): ReportTable {
  const condition = `noindex = 1 AND ${IS_PAGE}`
  return {
    ...{ id: 'noindex', title: 'Noindex', ...pagesWith(database, condition) },
    note: 'Pages that ask search engines not to list them, in a robots meta tag or the X-Robots-Tag header.',
  }
}

function pagesWith(database: DatabaseSync, condition: string) {
  const query = `SELECT url, via FROM visits WHERE ${condition} ORDER BY url LIMIT ${MAX_ROWS}`
  return {
    total: countVisits(database, condition),
    columns: columns('Page:url', 'First found on:url'),
    rows: rowsOf(database, query).map(cells),
  }
}
