import type { DatabaseSync } from 'node:sqlite'
import {
  bytes,
  count,
  dictionary,
  displayNumber,
  guarded,
  httpUrl,
  looseRecord,
  nullable,
  oneOf,
  optional,
  parseStored,
  parseStoredJson,
  text,
  unknown,
} from '../database/validate-stored-values.ts'
import { DamageError } from '../errors.ts'
import { packedBytes, unpackLinks } from '../messages/pack-links.ts'
import { NOT_MODIFIED } from '../records/content-version.ts'
import { HOPS } from '../records/crawl-url.ts'
import type { Visit } from '../records/visit.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output } from './output.ts'

const presentSchema = guarded((value): value is true => value === true, 'true')

/** Schema of a visit that was stored and is read back at the end. */
const visitSchema = looseRecord({
  url: httpUrl,
  status: optional(count),
  depth: count,
  via: optional(text),
  hop: oneOf(HOPS, 'a hop'),
  redirectsTo: optional(text),
  contentType: optional(text),
  charset: optional(text),
  bytes: optional(count),
  truncated: optional(presentSchema),
  title: optional(text),
  noindex: optional(presentSchema),
  canonical: optional(text),
  links: optional(count),
  discovered: optional(count),
  rendered: optional(presentSchema),
  renderedLinks: optional(count),
  robots: optional(text),
  textLength: optional(count),
  rawTitle: optional(text),
  rawCanonical: optional(text),
  rawRobots: optional(text),
  rawTextLength: optional(count),
  screenshot: optional(text),
  hash: optional(text),
  change: optional(oneOf(['new', 'changed', 'same', 'gone'], 'a change')),
  ms: optional(displayNumber),
  renderMs: optional(displayNumber),
  attempts: count,
  worker: optional(count),
  time: optional(text),
  error: optional(guarded(isError, 'an error')),
  data: optional(dictionary(unknown)),
  dataTruncated: optional(presentSchema),
  duplicateOf: optional(text),
  agent: optional(text),
  seq: optional(count),
} satisfies Record<keyof Visit, unknown>)

function isError(value: unknown): value is NonNullable<Visit['error']> {
  if (typeof value !== 'object' || value === null) return false
  return (
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS stored_visits (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, status INTEGER, record TEXT NOT NULL, outlinks BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS stored_visits_urls ON stored_visits (url)`

const ALL = 'SELECT url, record FROM stored_visits ORDER BY id'

/** Query of the last visit of each URL that describes its content. A 304 only says that nothing changed. */
const CURRENT = `
  SELECT url, max(id), record, outlinks FROM stored_visits WHERE status IS NOT ${NOT_MODIFIED} GROUP BY url ORDER BY url`

/** The last visit of a URL, and the links of its page. */
interface StoredPage {
  readonly visit: Visit
  readonly outlinks: readonly string[]
}

/**
 * The table `stored_visits`: visits for formats that are made at the end. It is in the crawl's database, so
 * that one commit covers both visits and frontier, and the visits take no memory.
 */
export class StoredVisits implements Output {
  readonly congested = false
  readonly #database: DatabaseSync
  readonly #put
  readonly #replace
  readonly #dropOutlinks
  readonly #find
  /** Returns the URL with which `--canonicalize` merges a URL, and which is visited in its place. */
  readonly merged: (url: string) => string
  #keepsAll = false

  constructor(database: DatabaseSync, merged = (url: string) => url) {
    this.merged = merged
    this.#database = database
    database.exec(TABLE)
    this.#put = database.prepare(
      'INSERT INTO stored_visits (url, status, record, outlinks) VALUES (?, ?, ?, ?)',
    )
    this.#replace = database.prepare(
      `UPDATE stored_visits SET status = ?, record = ?, outlinks = ?
       WHERE id = (SELECT max(id) FROM stored_visits WHERE url = ?)`,
    )
    this.#dropOutlinks = database.prepare(
      'UPDATE stored_visits SET outlinks = NULL WHERE url = ? AND outlinks IS NOT NULL',
    )
    this.#find = database.prepare('SELECT id FROM stored_visits WHERE url = ? LIMIT 1')
  }

  /** Keeps the earlier visits of a URL, too, from now on. */
  keepAll(): void {
    this.#keepsAll = true
  }

  open(): void {}

  write(visits: readonly Delivery[]): void {
    for (const visit of visits) this.#store(visit)
  }

  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {}

  /**
   * Stores a visit in place of the last content of its URL, so that rounds don't fill the state. After `keepAll`, it
   * replaces only the links of that content.
   */
  #store({ record, outlinks }: Delivery): void {
    const { url, status } = record.fields
    const packed = outlinks === undefined ? null : packedBytes(outlinks)
    const visit = [status ?? null, record.line, packed] as const
    if (this.#keepsAll) {
      if (status !== NOT_MODIFIED) this.#dropOutlinks.run(url)
      this.#put.run(url, ...visit)
    } else if (status === NOT_MODIFIED) {
      if (!this.has(url)) this.#put.run(url, ...visit)
    } else if (this.#replace.run(...visit, url).changes === 0) {
      this.#put.run(url, ...visit)
    }
  }

  /** Returns whether a URL was visited. */
  has(url: string): boolean {
    return this.#find.get(url) !== undefined
  }

  /** Yields all visits that are kept, in the order of the output. */
  *all(): Generator<Visit> {
    for (const row of this.#rowsOf(ALL)) yield visitIn(row)
  }

  /** Yields the last visit of each URL that describes its content, sorted by URL. */
  *current(): Generator<StoredPage> {
    for (const row of this.#rowsOf(CURRENT)) {
      const packed = parseStored(nullable(bytes), row['outlinks'], 'stored visits: outlinks')
      const outlinks = packed === null ? [] : unpackLinks(packed, 'stored visits: outlinks')
      yield { visit: visitIn(row), outlinks }
    }
  }

  /** Several outputs read at the same time, so each needs a statement of its own. */
  #rowsOf(query: string) {
    return this.#database.prepare(query).iterate()
  }
}

/**
 * Returns the visit in a row of the table.
 * @throws DamageError
 */
function visitIn({ url, record }: Record<string, unknown>): Visit {
  const visit = parseStoredJson(visitSchema, record, 'stored visits: record')
  if (url === visit.url) return visit
  throw new DamageError(`stored visits: url: expected ${visit.url}, got another`)
}
