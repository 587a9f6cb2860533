import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  guarded,
  httpUrl,
  parseStored,
  record,
  type StoredValue,
} from '../database/validate-stored-values.ts'
import { NOT_MODIFIED } from '../records/content-version.ts'
import { encodeLine } from '../records/json-line.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import { ArchiveRows } from './archive-rows.ts'
import { surtOf } from './surt.ts'

const TABLE = `
  CREATE TABLE IF NOT EXISTS captures (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, surt TEXT NOT NULL, url TEXT NOT NULL,
    date TEXT NOT NULL, mime TEXT NOT NULL, status INTEGER NOT NULL, digest TEXT NOT NULL,
    record TEXT, start INTEGER NOT NULL, length INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS captures_urls ON captures (file, url);
  CREATE INDEX IF NOT EXISTS captures_originals ON captures (file, digest) WHERE record IS NOT NULL`

/** Position of a record in all files of the archive together, in bytes. */
interface Span {
  readonly start: number
  readonly length: number
}

const line = guarded(isLine, 'a line of text')

/** A file, and the position of a record in it. */
export interface Place {
  readonly filename: string
  readonly offset: number
}

const originalSchema = record({ record: line, url: httpUrl, date: line, digest: line })
/** The record that contains the body of a later response. Its id is absent if it is in an earlier archive. */
export type Original = Omit<StoredValue<typeof originalSchema>, 'record'> & {
  readonly record?: string
}

const captureSchema = record({
  surt: line,
  url: httpUrl,
  date: line,
  mime: line,
  status: count,
  digest: line,
  start: count,
  length: count,
})

/** Returns true for a text without line breaks: it goes into headers, and into a line of an index. */
function isLine(value: unknown): value is string {
  return typeof value === 'string' && !/[\r\n]/.test(value)
}

/** The responses of one archive, in the table `captures`. */
export class Captures extends ArchiveRows {
  readonly #put
  readonly #original
  readonly #unchanged
  readonly #sorted
  readonly #find

  /** @param file absolute name of the archive */
  constructor(database: DatabaseSync, file: string) {
    super(database, 'captures', TABLE, file)
    this.#put = database.prepare(
      `INSERT INTO captures (file, surt, url, date, mime, status, digest, record, start, length)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#original = database.prepare(
      `SELECT record, url, date, digest FROM captures
       WHERE file = ? AND digest = ? AND record IS NOT NULL LIMIT 1`,
    )
    this.#unchanged = database.prepare(
      `SELECT record, url, date, digest FROM captures
       WHERE file = ? AND record IS NOT NULL AND digest = (
         SELECT digest FROM captures WHERE file = ? AND url = ? AND status <> ${NOT_MODIFIED}
         ORDER BY id DESC LIMIT 1) LIMIT 1`,
    )
    this.#find = database.prepare('SELECT id FROM captures WHERE file = ? AND url = ? LIMIT 1')
    this.#sorted = database.prepare('SELECT * FROM captures WHERE file = ? ORDER BY surt, date, id')
  }

  /**
   * Returns the first response with the same body, or for a 304 with the body that the URL had before; undefined if there
   * is none.
   */
  originalOf({ url, status, isWhole, payloadDigest }: ArchivedExchange): Original | undefined {
    if (status !== NOT_MODIFIED && !isWhole) return undefined
    const row =
      status === NOT_MODIFIED
        ? this.#unchanged.get(this.file, this.file, url)
        : this.#original.get(this.file, payloadDigest)
    return row && parseStored(originalSchema, row, 'captures')
  }

  /** Returns whether the archive has a response to this URL. */
  has(url: string): boolean {
    return this.#find.get(this.file, url) !== undefined
  }

  /** @param original the earlier response that its record refers to, if any */
  put(exchange: ArchivedExchange, original: Original | undefined, { start, length }: Span): void {
    const { id, url, date, status, payloadDigest, isWhole } = exchange
    const isRevisit = original !== undefined
    const mime = isRevisit ? 'warc/revisit' : exchange.mime
    const about = [surtOf(url), url, date, mime, status, original?.digest ?? payloadDigest]
    const record = isWhole && !isRevisit ? id : null
    this.#put.run(this.file, ...about, record, start, length)
  }

  /**
   * Yields the lines of the index in CDXJ, sorted.
   * @param placeOf returns where the record is that begins at a position
   */
  *indexLines(placeOf: (start: number) => Place): Generator<string> {
    for (const row of this.#sorted.iterate(this.file)) {
      const capture = parseStored(captureSchema, row, 'captures')
      const { surt, url, date, mime, status, digest, start, length } = capture
      const timestamp = date.replace(/\D/g, '').slice(0, 14)
      // Indexes usually omit the label of a digest.
      const hash = digest.replace(/^sha1:/, '')
      const about = { url, mime, status: String(status), digest: hash }
      const { filename, offset } = placeOf(start)
      const where = { length: String(length), offset: String(offset), filename }
      yield `${surt} ${timestamp} ${encodeLine({ ...about, ...where })}`
    }
  }
}
