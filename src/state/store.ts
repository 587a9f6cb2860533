import type { DatabaseSync } from 'node:sqlite'
import { openTemporaryDatabase } from '../database/sqlite.ts'
import { randomHashKey } from '../seen/half-siphash.ts'
import type { HashKey } from '../seen/seen-set.ts'

/** Where a crawl keeps its books: for as long as it runs, or for longer. */
export interface Store {
  /** With a transaction open. */
  readonly database: DatabaseSync
  /** Secret of the hash of URLs. */
  readonly hashKey: HashKey
  close(): void
}

/** Gone with the process. */
export function temporaryStore(hashKey: HashKey = randomHashKey()): Store {
  const database = openTemporaryDatabase()
  return { database, hashKey, close: () => database.close() }
}
