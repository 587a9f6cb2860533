import type { DatabaseSync } from 'node:sqlite'
import {
  httpUrl,
  nullable,
  parseStored,
  record,
  type StoredValue,
  text,
} from '../database/validate-stored-values.ts'
import { isHtml } from '../fetch/content-type.ts'
import { encodeLine } from '../records/json-line.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import { ArchiveRows } from './archive-rows.ts'

const TABLE = `
  CREATE TABLE IF NOT EXISTS archived_pages (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, url TEXT NOT NULL, date TEXT NOT NULL, title TEXT
  ) STRICT`

const pageSchema = record({ url: httpUrl, date: text, title: nullable(text) })
type ArchivedPage = StoredValue<typeof pageSchema>

/** The pages of one archive, in the table `archived_pages`. */
export class ArchivedPages extends ArchiveRows {
  readonly #put
  readonly #all

  /** @param file absolute name of the archive */
  constructor(database: DatabaseSync, file: string) {
    super(database, 'archived_pages', TABLE, file)
    this.#put = database.prepare(
      'INSERT INTO archived_pages (file, url, date, title) VALUES (?, ?, ?, ?)',
    )
    this.#all = database.prepare(
      'SELECT url, date, title FROM archived_pages WHERE file = ? ORDER BY id',
    )
  }

  /** Adds the visits that are HTML pages with the status 200. */
  add(visits: readonly Delivery[]): void {
    for (const { record, exchange } of visits) {
      if (exchange?.status !== 200 || !isHtml(exchange.mime)) continue
      this.#put.run(this.file, exchange.url, exchange.date, record.fields.title ?? null)
    }
  }

  /** Returns the first page, which is the first seed's if it is a page; undefined if there is none. */
  first(): ArchivedPage | undefined {
    const row = this.#all.get(this.file)
    return row && parseStored(pageSchema, row, 'archived_pages')
  }

  /** Yields the lines of `pages.jsonl`, by which a reader of the archive lists its pages. */
  *lines(): Generator<string> {
    yield encodeLine({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })
    let id = 0
    for (const row of this.#all.iterate(this.file)) {
      const { url, date, title } = parseStored(pageSchema, row, 'archived_pages')
      yield encodeLine({ id: String(++id), url, ts: date, ...(title !== null && { title }) })
    }
  }
}
