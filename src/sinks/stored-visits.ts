import type { DatabaseSync } from 'node:sqlite'
import { bytes, nullable, parseStored, parseStoredJson } from '../database/stored-schemas.ts'
import { DamageError } from '../errors.ts'
import { unpackLinks } from '../messages/pack-links.ts'
import type { Delivery } from '../records/delivery.ts'
import type { Visit } from '../records/visit.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output } from './output.ts'
import { visitSchema } from './visit-schema.ts'

const TABLE = `
  CREATE TABLE IF NOT EXISTS told (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, status INTEGER, record TEXT NOT NULL, outlinks BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS told_urls ON told (url)`

/** The last visit of each URL that describes its content: a 304 only says that nothing changed. */
const CURRENT = `
  SELECT url, max(id), record, outlinks FROM told WHERE status IS NOT 304 GROUP BY url ORDER BY url`

/** A URL as its last visit found it. */
export interface StoredPage {
  readonly visit: Visit
  readonly outlinks: readonly string[]
}

/**
 * The table `told`: visits for formats that are made at the end. It is in the crawl's database, so
 * that one commit covers visits and frontier, and memory stays flat.
 */
export class StoredVisits {
  readonly #put
  readonly #all
  readonly #current

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#put = database.prepare(
      'INSERT INTO told (url, status, record, outlinks) VALUES (?, ?, ?, ?)',
    )
    this.#all = database.prepare('SELECT url, record FROM told ORDER BY id')
    this.#current = database.prepare(CURRENT)
  }

  put({ record, outlinks }: Delivery): void {
    const { url, status } = record.fields
    this.#put.run(url, status ?? null, record.line, outlinks ?? null)
  }

  /** Yields all visits, in the order of the output. */
  *all(): Generator<Visit> {
    for (const row of this.#all.iterate()) yield visitIn(row)
  }

  /** Yields the latest page of each URL, sorted by URL. */
  *current(): Generator<StoredPage> {
    for (const row of this.#current.iterate()) {
      const packed = parseStored(nullable(bytes), row['outlinks'], 'told.outlinks')
      const outlinks = packed === null ? [] : unpackLinks(packed, 'told.outlinks')
      yield { visit: visitIn(row), outlinks }
    }
  }
}

/** @throws DamageError */
function visitIn({ url, record }: Record<string, unknown>): Visit {
  const visit = parseStoredJson(visitSchema, record, 'told.record')
  if (url === visit.url) return visit
  throw new DamageError(`told.url: expected ${visit.url}, got another`)
}

/** Stores visits for the outputs that are made at the end. */
export class VisitSpool implements Output {
  readonly congested = false
  readonly visits: StoredVisits

  constructor(database: DatabaseSync) {
    this.visits = new StoredVisits(database)
  }

  open(): void {}

  write(visits: readonly Delivery[]): void {
    for (const visit of visits) this.visits.put(visit)
  }

  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {}
}
