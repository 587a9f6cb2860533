import type { DatabaseSync } from 'node:sqlite'

/** What became of a URL, in short; the whole record is in the output. */
export interface VisitNote {
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** Of the decoded body. */
  readonly bytes?: number | undefined
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS visits (
    url INTEGER PRIMARY KEY REFERENCES urls,
    status INTEGER,
    error TEXT,
    bytes INTEGER,
    at INTEGER NOT NULL
  ) STRICT`

/** The table `visits`: the last visit of each URL that has a record. `at` is milliseconds since 1970. */
export class VisitStore {
  readonly #put

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO visits (url, status, error, bytes, at) VALUES (?, ?, ?, ?, ?)',
    )
  }

  /** @param id of the URL */
  put(id: number, { status, error, bytes }: VisitNote): void {
    this.#put.run(id, status ?? null, error ?? null, bytes ?? null, Date.now())
  }
}
