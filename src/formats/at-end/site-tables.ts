import type { DatabaseSync } from 'node:sqlite'
import type { StoredVisits } from '../../output/stored-visits.ts'
import { VISIT_COLUMNS } from '../../records/visit-columns.ts'
import { fieldsOf, type VisitFields } from '../../records/visit-record.ts'

type Columns = typeof VISIT_COLUMNS
type IntegerColumn = {
  [Name in keyof Columns]: Extract<ReturnType<Columns[Name]>, number | true> extends never
    ? never
    : Name
}[keyof Columns]

/** Columns of `visits` that are not text. The compiler accepts exactly those that contain a number or `true`. */
const INTEGERS = {
  status: true,
  depth: true,
  bytes: true,
  truncated: true,
  noindex: true,
  links: true,
  discovered: true,
  ms: true,
  attempts: true,
  worker: true,
  dataTruncated: true,
  seq: true,
  rendered: true,
  renderedLinks: true,
  renderMs: true,
  textLength: true,
  rawTextLength: true,
} satisfies Record<IntegerColumn, true>

const COLUMN_NAMES = Object.keys(VISIT_COLUMNS)
const CELL_READERS = Object.values(VISIT_COLUMNS)
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** The tables described in docs/formats.md. */
const TABLES = `
  CREATE TABLE visits (
    id INTEGER PRIMARY KEY,
    ${COLUMN_NAMES.map((name) => `${snakeCase(name)} ${name in INTEGERS ? 'INTEGER' : 'TEXT'}`).join(', ')}
  ) STRICT;
  CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE links (
    page INTEGER NOT NULL REFERENCES urls, target INTEGER NOT NULL REFERENCES urls,
    hop TEXT NOT NULL, PRIMARY KEY (page, target, hop)
  ) STRICT, WITHOUT ROWID`

/** Fills a table of visits and one of links between URLs. Yields an empty text after each visit. */
export function* fillSiteTables(database: DatabaseSync, visits: StoredVisits): Generator<''> {
  database.exec(TABLES)
  yield* fillVisits(database, visits)
  yield* fillLinks(database, visits)
  database.exec('CREATE INDEX visits_urls ON visits (url)')
}

function* fillVisits(database: DatabaseSync, visits: StoredVisits): Generator<''> {
  const insert = database.prepare(
    `INSERT INTO visits (${COLUMN_NAMES.map(snakeCase)}) VALUES (${COLUMN_NAMES.map(() => '?')})`,
  )
  const inSqlite = (visit: VisitFields) => (cell: (typeof CELL_READERS)[number]) => {
    const value = cell(visit)
    return value === true ? 1 : (value ?? null)
  }
  for (const visit of visits.all()) {
    insert.run(...CELL_READERS.map(inSqlite(fieldsOf(visit))))
    yield ''
  }
}

/** Adds links. Visited URLs get the first ids, in sorted order. */
function* fillLinks(database: DatabaseSync, visits: StoredVisits): Generator<''> {
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
    if (redirectsTo !== undefined) addLink.run(page, find(visits.merged(redirectsTo)), 'redirect')
    yield ''
  }
}
