import type { DatabaseSync } from 'node:sqlite'
import {
  all,
  cells,
  columns,
  countRows,
  countVisits,
  MAX_ROWS,
  type ReportTable,
} from './report-table.ts'
import { BROKEN, FINE, OUTCOME, UNCHANGED } from './visit-statistics.ts'

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
    rows: all(database, query).map(cells),
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
    rows: all(database, query).map(cells),
  }
}
