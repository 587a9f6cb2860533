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

const TABLE = `
  CREATE TABLE IF NOT EXISTS archived_pages (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, url TEXT NOT NULL, date TEXT NOT NULL, title TEXT
  ) STRICT`

const pageForm = record({ url: httpUrl, date: text, title: nullable(text) })
type ArchivedPage = StoredValue<typeof pageForm>

/**
 * The pages of one archive, in the table `archived_pages`. The table is in the database of the crawl, so that one
 * commit covers it and the length of the file.
 */
export class ArchivedPages {
  readonly #file: string
  readonly #put
  readonly #all
  readonly #clear
  readonly #rename

  /** @param file absolute name of the archive */
  constructor(database: DatabaseSync, file: string) {
    database.exec(TABLE)
    this.#file = file
    this.#put = database.prepare(
      'INSERT INTO archived_pages (file, url, date, title) VALUES (?, ?, ?, ?)',
    )
    this.#all = database.prepare(
      'SELECT url, date, title FROM archived_pages WHERE file = ? ORDER BY id',
    )
    this.#clear = database.prepare('DELETE FROM archived_pages WHERE file = ?')
    this.#rename = database.prepare('UPDATE archived_pages SET file = ? WHERE file = ?')
  }

  /** Takes over the pages of an archive that had another name. */
  takeOver(former: string): void {
    this.clear()
    this.#rename.run(this.#file, former)
  }

  /** Removes the pages of an earlier archive of that name. */
  clear(): void {
    this.#clear.run(this.#file)
  }

  /** Adds the visits that are HTML pages with the status 200. */
  add(visits: readonly Delivery[]): void {
    for (const { record, exchange } of visits) {
      if (exchange?.status !== 200 || !isHtml(exchange.mime)) continue
      this.#put.run(this.#file, exchange.url, exchange.date, record.fields.title ?? null)
    }
  }

  /** Returns the first page, which is the first seed's if it is a page; undefined if there is none. */
  first(): ArchivedPage | undefined {
    const row = this.#all.get(this.#file)
    return row && parseStored(pageForm, row, 'archived_pages')
  }

  /** Yields the lines of `pages.jsonl`, by which a reader of the archive lists its pages. */
  *lines(): Generator<string> {
    yield encodeLine({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })
    let id = 0
    for (const row of this.#all.iterate(this.#file)) {
      const { url, date, title } = parseStored(pageForm, row, 'archived_pages')
      yield encodeLine({ id: String(++id), url, ts: date, ...(title !== null && { title }) })
    }
  }
}
