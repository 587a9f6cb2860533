import type { DatabaseSync } from 'node:sqlite'
import { formatCount } from '../../english-text.ts'
import { cutText } from './cut-text.ts'
import type { TableCell } from './embedded-rows.ts'
import { canonicalUrls, duplicateTitles, noindexPages, untitledPages } from './indexing-tables.ts'
import { LinkFinder } from './linking-pages.ts'
import { SHOWN_BROKEN } from './load-broken-links.ts'
import { RedirectChains } from './redirect-chains.ts'
import {
  cell,
  cells,
  columns,
  countRows,
  countVisits,
  MAX_ROWS,
  type ReportTable,
  rowsOf,
} from './report-table.ts'
import { BROKEN, OUTCOME } from './visit-statistics.ts'

/** Maximum characters of a table as JSON. Only very long URLs and texts exceed it. */
const MAX_CHARACTERS = 16 * 2 ** 20

/** Available sources of the tables. */
interface TableSources {
  /** True if all links of the crawl are known. */
  readonly hasAllLinks: boolean
  /** True if the visits come from a state, which stores fewer fields. */
  readonly isState: boolean
}

/** Returns all tables of the report, in the order of display. */
export function reportTables(
  database: DatabaseSync,
  { hasAllLinks, isState }: TableSources,
): ReportTable[] {
  return [
    brokenLinks(database, hasAllLinks),
    errors(database),
    redirectChains(database, isState),
    slowPages(database),
    largePages(database),
    canonicalUrls(database),
    untitledPages(database),
    duplicateTitles(database),
    noindexPages(database),
    renderedPages(database),
    hosts(database),
  ].map((table) => withinLimit(withoutEmptyColumns(table)))
}

/** Drops the last rows of a table that is too large. */
function withinLimit(table: ReportTable): ReportTable {
  let characters = 0
  const end = table.rows.findIndex((row) => {
    characters += JSON.stringify(row).length
    return characters > MAX_CHARACTERS
  })
  return end === -1 ? table : { ...table, rows: table.rows.slice(0, end) }
}

function withoutEmptyColumns(table: ReportTable): ReportTable {
  const isEmpty = (cell: TableCell | undefined) => cell === null || Object(cell).length === 0
  const isKept = (_: unknown, at: number) => !table.rows.every((row) => isEmpty(row[at]))
  const rows = table.rows.map((row) => row.filter(isKept))
  return { ...table, columns: table.columns.filter(isKept), rows }
}

function brokenLinks(database: DatabaseSync, hasAllLinks: boolean): ReportTable {
  const finder = new LinkFinder(database)
  const rows = rowsOf(database, `SELECT id, ${OUTCOME} AS outcome, url ${SHOWN_BROKEN}`)
  const linked = rows.map(({ id, outcome, url }) => {
    const pages = finder.pagesOf(Number(id))
    return { total: pages?.total ?? 0, row: [cell(outcome), cell(url)], pages }
  })
  return {
    ...{ id: 'broken', title: 'Broken links', total: countVisits(database, BROKEN) },
    note: hasAllLinks
      ? 'With the pages that link to each, and the link text. Most-linked first.'
      : 'With the first page that was found to link to each. A report with --links lists all.',
    columns: columns('Status:status', 'Broken URL:url', 'Pages:number', 'Linked from:pages'),
    rows: linked
      .sort((a, b) => (hasAllLinks ? b.total - a.total : 0))
      .map(({ total, row, pages }) => [...row, hasAllLinks && total > 0 ? total : null, pages]),
  }
}

function errors(database: DatabaseSync): ReportTable {
  const rows = rowsOf(
    database,
    `SELECT error, count(*) AS count, message, min(url) AS url FROM visits
     WHERE error IS NOT NULL GROUP BY error ORDER BY count DESC LIMIT ${MAX_ROWS}`,
  )
  return {
    ...{ id: 'errors', title: 'Errors', total: rows.length },
    note: 'Visits without a usable response, by error code, each with an example.',
    columns: columns('Code:text', 'Visits:number', 'Message:text', 'Example:url'),
    rows: rows.map(({ error, count, message, url }) => [error, count, message, url].map(cell)),
  }
}

function redirectChains(database: DatabaseSync, isState: boolean): ReportTable {
  const redirects = new RedirectChains(database)
  const isStart = "target IS NOT NULL AND hop IS NOT 'redirect'"
  database.exec('CREATE TEMP TABLE chains (hops INTEGER, row TEXT)')
  const insert = database.prepare('INSERT INTO chains VALUES (?, ?)')
  const query = `SELECT url, status, target FROM visits WHERE ${isStart}`
  for (const { url, status, target } of database.prepare(query).iterate()) {
    const { steps, outcome } = redirects.chainFrom(String(url), String(target))
    const row = [steps.length, cell(status), cell(url), steps.map(cutText), outcome]
    insert.run(steps.length, JSON.stringify(row))
  }
  const rows = rowsOf(
    database,
    `SELECT row FROM chains ORDER BY hops DESC, rowid LIMIT ${MAX_ROWS}`,
  )
  return {
    ...{ id: 'redirects', title: 'Redirects', total: countVisits(database, isStart) },
    note: `From the linked URL to the final response, longest chains first.${isState ? ' A --state directory has only the redirects by which a URL was first found.' : ''}`,
    columns: columns('Hops:number', 'Status:status', 'From:url', 'To:urls', 'Ends in:status'),
    rows: rows.map(({ row }) => JSON.parse(String(row))),
  }
}

function slowPages(database: DatabaseSync): ReportTable {
  return {
    ...{ id: 'slow', title: 'Slowest', ...highestVisits(database, 'ms', `${OUTCOME}, bytes`) },
    note: 'From the request to the end of the body.',
    columns: columns('Time:ms', 'URL:url', 'Status:status', 'Size:bytes'),
  }
}

function largePages(database: DatabaseSync): ReportTable {
  return {
    ...{ id: 'large', title: 'Largest', ...highestVisits(database, 'bytes', 'type, ms') },
    note: 'Bytes of the decoded body.',
    columns: columns('Size:bytes', 'URL:url', 'Content type:text', 'Time:ms'),
  }
}

/** Returns the visits with the highest values of a measure, with their URLs and more columns. */
function highestVisits(database: DatabaseSync, measure: string, more: string) {
  const isThere = `${measure} IS NOT NULL`
  const rows = rowsOf(
    database,
    `SELECT ${measure}, url, ${more} FROM visits WHERE ${isThere}
     ORDER BY ${measure} DESC, url LIMIT ${MAX_ROWS}`,
  )
  return { total: countVisits(database, isThere), rows: rows.map(cells) }
}

/** Numbers of rendered pages: all of them, and those on which scripts change the title, links and so on. */
const RENDERED_CHANGES = `
  count(*) AS pages, count(raw_title) AS title, count(raw_canonical) AS canonical,
  count(raw_robots) AS robots, count(nullif(rendered_links, 0)) AS links, count(raw_text) AS text`

function renderedPages(database: DatabaseSync): ReportTable {
  const isRendered = 'rendered_links IS NOT NULL'
  const isChanged = `${isRendered} AND (rendered_links > 0
    OR coalesce(raw_title, raw_canonical, raw_robots, raw_text) IS NOT NULL)`
  const query = `SELECT ${RENDERED_CHANGES} FROM visits WHERE ${isRendered}`
  const [counts = {}] = rowsOf(database, query)
  const numberOf = (name: string) => formatCount(Number(counts[name]))
  const total = countVisits(database, isChanged)
  const rows = rowsOf(
    database,
    `SELECT url, links - rendered_links AS raw_links, links, ifnull(raw_text, text) AS raw_text,
       text, ${pairOf('title')}, ${pairOf('canonical')}, ${pairOf('robots')}
     FROM visits WHERE ${isChanged}
     ORDER BY rendered_links DESC, abs(text - ifnull(raw_text, text)) DESC, url LIMIT ${MAX_ROWS}`,
  )
  return {
    ...{ id: 'rendered', title: 'Changed by scripts', total },
    note: `Pages as the server sent them and as a browser shows them, those with most new links first. Scripts change something on ${formatCount(total)} of ${numberOf('pages')} rendered pages: the title on ${numberOf('title')}, the canonical URL on ${numberOf('canonical')}, the robots directives on ${numberOf('robots')}, the links on ${numberOf('links')}, the text on ${numberOf('text')}.`,
    columns: columns(
      ...(['URL:url', 'Links sent:number', 'Links shown:number'] as const),
      ...(['Text sent:number', 'Text shown:number', 'Title sent:text'] as const),
      ...(['Title shown:text', 'Canonical sent:text', 'Canonical shown:text'] as const),
      ...(['Robots sent:text', 'Robots shown:text'] as const),
    ),
    rows: rows.map(cells),
  }
}

/** Returns the columns of a value as it was sent and as it is shown, both null if they are the same. */
function pairOf(name: 'title' | 'canonical' | 'robots'): string {
  const orNone = (column: string) => `ifnull(nullif(${column}, ''), '(none)')`
  return `iif(raw_${name} IS NULL, NULL, ${orNone(`raw_${name}`)}) AS raw_${name},
    iif(raw_${name} IS NULL, NULL, ${orNone(name)}) AS ${name}`
}

function hosts(database: DatabaseSync): ReportTable {
  const query = `
    SELECT host, count(*) AS visits, count(CASE WHEN ${BROKEN} THEN 1 END), total(bytes), avg(ms)
    FROM visits GROUP BY host ORDER BY visits DESC, host LIMIT ${MAX_ROWS}`
  return {
    ...{ id: 'hosts', title: 'Hosts', note: 'Host names and ports that were contacted.' },
    total: countRows(database, 'SELECT DISTINCT host FROM visits'),
    columns: columns('Host:text', 'Visits:number', 'Broken:number', 'Size:bytes', 'Mean time:ms'),
    rows: rowsOf(database, query).map(cells),
  }
}
