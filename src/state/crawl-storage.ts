import type { DatabaseSync } from 'node:sqlite'
import { openTemporaryDatabase } from '../database/sqlite.ts'
import { type HashKey, randomHashKey } from '../hashing/half-siphash.ts'

/** Storage for the tables of a crawl: temporary, or kept after the run. */
export interface CrawlStorage {
  /** Has an open transaction. */
  readonly database: DatabaseSync
  /** Secret key of the URL hash. */
  readonly hashKey: HashKey
  close(): void
}

/** Opens storage that lasts until the process ends. */
export function temporaryStorage(hashKey: HashKey = randomHashKey()): CrawlStorage {
  const database = openTemporaryDatabase()
  return { database, hashKey, close: () => database.close() }
}
