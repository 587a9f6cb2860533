import type { DatabaseSync } from 'node:sqlite'
import { fieldsOf, type VisitFields } from '../../records/visit-record.ts'
import type { ToldVisits } from '../../sinks/stored-visits.ts'
import { COLUMNS } from '../columns.ts'

/** Columns of `visits` other than text. */
const INTEGERS: ReadonlySet<string> = new Set([
  ...['status', 'depth', 'bytes', 'truncated', 'noindex', 'links', 'discovered', 'ms', 'attempts'],
  ...['worker', 'dataTruncated', 'seq'],
])

const NAMES = Object.keys(COLUMNS)
const CELLS = Object.values(COLUMNS)
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** The tables described in docs/formats.md. */
const TABLES = `
  CREATE TABLE visits (
    id INTEGER PRIMARY KEY,
    ${NAMES.map((name) => `${snakeCase(name)} ${INTEGERS.has(name) ? 'INTEGER' : 'TEXT'}`).join(', ')}
  ) STRICT;
  CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE links (
    page INTEGER NOT NULL REFERENCES urls, target INTEGER NOT NULL REFERENCES urls,
    hop TEXT NOT NULL, PRIMARY KEY (page, target, hop)
  ) STRICT, WITHOUT ROWID`
const LAST = `
  CREATE INDEX visits_urls ON visits (url);
  CREATE INDEX links_targets ON links (target);
  CREATE VIEW link_urls AS
    SELECT page.url AS page, target.url AS target, hop
    FROM links JOIN urls AS page ON page.id = links.page JOIN urls AS target ON target.id = links.target`

/** Fills a table of visits and one of links between URLs. */
export function fillSite(database: DatabaseSync, visits: ToldVisits): void {
  database.exec(TABLES)
  fillVisits(database, visits)
  fillLinks(database, visits)
  database.exec(LAST)
}

function fillVisits(database: DatabaseSync, visits: ToldVisits): void {
  const insert = database.prepare(
    `INSERT INTO visits (${NAMES.map(snakeCase)}) VALUES (${NAMES.map(() => '?')})`,
  )
  const inSqlite = (visit: VisitFields) => (cell: (typeof CELLS)[number]) => {
    const value = cell(visit)
    return value === true ? 1 : (value ?? null)
  }
  for (const visit of visits.all()) insert.run(...CELLS.map(inSqlite(fieldsOf(visit))))
}

/** Adds links; visited URLs come first, sorted. */
function fillLinks(database: DatabaseSync, visits: ToldVisits): void {
  database.exec('INSERT INTO urls (url) SELECT DISTINCT url FROM visits ORDER BY url')
  const idOf = database.prepare('SELECT id FROM urls WHERE url = ?')
  const addUrl = database.prepare('INSERT INTO urls (url) VALUES (?)')
  const addLink = database.prepare(
    'INSERT OR IGNORE INTO links (page, target, hop) VALUES (?, ?, ?)',
  )
  const find = (url: string) => {
    const id = idOf.get(url)?.['id'] ?? addUrl.run(url).lastInsertRowid
    return Number(id)
  }
  for (const { visit, outlinks } of visits.current()) {
    const page = find(visit.url)
    for (const target of outlinks) addLink.run(page, find(target), 'link')
    const { redirectsTo } = visit
    if (redirectsTo !== undefined) addLink.run(page, find(redirectsTo), 'redirect')
  }
}
