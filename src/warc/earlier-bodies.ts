import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { openTemporaryDatabase } from '../database/sqlite.ts'
import { parseStored, record, text } from '../database/validate-stored-values.ts'
import { CrawlerError } from '../errors.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import { indexedBodies } from './archive-index.ts'
import type { Original } from './captures.ts'

const TABLE = `
  CREATE TABLE bodies (
    digest TEXT PRIMARY KEY, url TEXT NOT NULL, date TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`

const bodySchema = record({ digest: text, url: text, date: text })

/** The bodies in earlier archives, in a temporary database: an index may have millions of lines. */
export class EarlierBodies {
  readonly #database: DatabaseSync
  readonly #find: StatementSync

  private constructor(database: DatabaseSync) {
    this.#database = database
    this.#find = database.prepare('SELECT digest, url, date FROM bodies WHERE digest = ?')
  }

  /**
   * @param indexes files in CDXJ or CDX. Of equal bodies, the first one counts
   * @throws CrawlerError('usage') if one of them can't be read, is no index or has no SHA-1 of a body
   */
  static async read(indexes: readonly string[]): Promise<EarlierBodies> {
    const database = openTemporaryDatabase()
    try {
      database.exec(TABLE)
      const insert = database.prepare('INSERT OR IGNORE INTO bodies VALUES (?, ?, ?)')
      for (const name of indexes) await addBodies(name, insert)
      return new EarlierBodies(database)
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Returns an earlier response with the same body; undefined if there is none. */
  originalOf({ isWhole, payloadDigest }: ArchivedExchange): Original | undefined {
    const row = isWhole ? this.#find.get(payloadDigest) : undefined
    return row && parseStored(bodySchema, row, 'bodies')
  }

  close(): void {
    this.#database.close()
  }
}

async function addBodies(index: string, insert: StatementSync): Promise<void> {
  let count = 0
  for await (const { digest, url, date } of indexedBodies(index)) {
    insert.run(digest, url, date)
    count++
  }
  if (count > 0) return
  const message = `${index}: expected an index of an archive with the SHA-1 of at least one body`
  throw new CrawlerError('usage', message)
}
