import type { DatabaseSync } from 'node:sqlite'

const TABLE =
  'CREATE TABLE IF NOT EXISTS dropped (url INTEGER PRIMARY KEY, due INTEGER NOT NULL) STRICT'

/** Query for the ids of the dropped URLs. */
export const DROPPED_IDS = 'SELECT url FROM dropped'

/**
 * The visited URLs that later rounds don't visit again, since they no longer belong to the crawl: the table `dropped`.
 * Its column `due` is 1 if a round would have visited the URL.
 */
export class DroppedVisits {
  readonly #database: DatabaseSync
  readonly #add
  readonly #take
  #isEmpty: boolean

  constructor(database: DatabaseSync) {
    DroppedVisits.createTable(database)
    this.#database = database
    this.#add = database.prepare('INSERT OR REPLACE INTO dropped VALUES (?, ?)')
    this.#take = database.prepare('DELETE FROM dropped WHERE url = ? RETURNING due')
    this.#isEmpty = database.prepare(`${DROPPED_IDS} LIMIT 1`).get() === undefined
  }

  /** Creates the table, unless it exists: states of older versions lack it. */
  static createTable(database: DatabaseSync): void {
    database.exec(TABLE)
  }

  /** @param isDue whether the URL waits for a visit now */
  add(id: number, isDue: boolean): void {
    this.#add.run(id, Number(isDue))
    this.#isEmpty = false
  }

  /** Removes a URL. Returns whether it was due; undefined if it was not dropped. */
  take(id: number): boolean | undefined {
    const row = this.#isEmpty ? undefined : this.#take.get(id)
    return row && row['due'] === 1
  }

  /** Notes that those URLs are due whose last visit was at a time or before (milliseconds since 1970). */
  noteDue(time: number): void {
    this.#database
      .prepare('UPDATE dropped SET due = 1 WHERE url IN (SELECT url FROM visits WHERE at <= ?)')
      .run(time)
  }

  clear(): void {
    this.#database.exec('DELETE FROM dropped')
    this.#isEmpty = true
  }
}
