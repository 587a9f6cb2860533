import type { DatabaseSync } from 'node:sqlite'
import { parseStored } from '../../database/validate-stored-values.ts'
import { DroppedVisits } from '../../state/dropped-visits.ts'
import { waitingUrlSchema } from './stored-rows.ts'
import { type RereadScope, UNFINISHED, URL_STATE, type WaitingUrl } from './stored-url.ts'

const TABLE = 'CREATE TABLE IF NOT EXISTS rereads (url INTEGER PRIMARY KEY REFERENCES urls) STRICT'

/**
 * Pages that already have a record and are fetched again only for their links, since the settings of the resumed
 * crawl allow more URLs. The table `rereads` contains them until they are read.
 */
export class Rereads {
  readonly #database: DatabaseSync
  readonly #has
  readonly #remove
  readonly #add
  readonly #dropped: DroppedVisits
  #size: number

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#database = database
    this.#has = database.prepare('SELECT 1 FROM rereads WHERE url = ?')
    this.#remove = database.prepare('DELETE FROM rereads WHERE url = ?')
    this.#add = database.prepare('INSERT OR IGNORE INTO rereads VALUES (?)')
    this.#dropped = new DroppedVisits(database)
    this.#size = this.#count()
  }

  /** Number of pages that wait or are in flight. */
  get size(): number {
    return this.#size
  }

  /** Returns whether a page is fetched only for its links. */
  has(id: number): boolean {
    return this.#size > 0 && this.#has.get(id) !== undefined
  }

  /** Removes a page that was read, or that can't be read. */
  remove(id: number): void {
    if (this.#size > 0) this.#size -= Number(this.#remove.run(id).changes)
  }

  /**
   * Restores a page that `drop` has dropped, since a shorter path leads to it now. It is only read again, unless it was
   * due for a visit. Returns false for any other page.
   */
  restore(id: number): boolean {
    const wasDue = this.#dropped.take(id)
    if (wasDue === false) this.#size += Number(this.#add.run(id).changes)
    return wasDue !== undefined
  }

  /**
   * Makes pages that were read, and redirects, ready again. To be called before the frontier resumes. Pages that
   * are ready already get no conditional request: a response of 304 has no links.
   */
  add(which: RereadScope): void {
    const pages = `FROM urls JOIN visits ON visits.url = urls.id WHERE ${conditionOf(which)} AND urls.state`
    this.#database.exec(`
      UPDATE visits SET etag = NULL, last_modified = NULL
        WHERE url IN (SELECT urls.id ${pages} = ${URL_STATE.ready});
      INSERT OR IGNORE INTO rereads SELECT urls.id ${pages} = ${URL_STATE.visited};
      UPDATE urls SET state = ${URL_STATE.ready}, failures = 0
        WHERE state = ${URL_STATE.visited} AND id IN (SELECT url FROM rereads)`)
    this.#size = this.#count()
  }

  /** Notes which dropped pages are due for a visit, at a time in milliseconds since 1970. */
  noteDue(time: number): void {
    this.#dropped.noteDue(time)
  }

  /** Lets later rounds visit dropped URLs again. */
  forgetDropped(): void {
    this.#dropped.clear()
  }

  /** Drops waiting URLs that are no longer wanted. Adds those with a record to the table `dropped`, yields the others. */
  *drop(isWanted: (url: WaitingUrl) => boolean): Generator<WaitingUrl> {
    const page = this.#database.prepare(
      `SELECT u.id, u.url, u.depth, u.hop, via.url AS via FROM urls AS u LEFT JOIN urls AS via ON via.id = u.via
       WHERE u.id > ? AND u.state IN (${UNFINISHED}) ORDER BY u.id LIMIT 1000`,
    )
    const setState = this.#database.prepare('UPDATE urls SET state = ? WHERE id = ?')
    const visit = this.#database.prepare('SELECT 1 FROM visits WHERE url = ?')
    for (let last = 0; ; ) {
      const waiting = page.all(last).map((row) => parseStored(waitingUrlSchema, row, 'urls'))
      if (waiting.length === 0) return
      for (const each of waiting.filter((url) => !isWanted(url))) {
        const isVisited = visit.get(each.id) !== undefined
        const isDue = !this.has(each.id)
        this.remove(each.id)
        setState.run(isVisited ? URL_STATE.visited : URL_STATE.skipped, each.id)
        if (isVisited) this.#dropped.add(each.id, isDue)
        else yield each
      }
      last = waiting.at(-1)?.id ?? last
    }
  }

  #count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS pages FROM rereads').get()?.['pages'])
  }
}

/** Returns the condition for pages to read again. A depth excludes style sheets: their links are at the same depth. */
function conditionOf(which: RereadScope): string {
  const isRead = '(visits.links IS NOT NULL OR visits.status BETWEEN 300 AND 399)'
  if (which === 'all') return isRead
  if (which === 'seeds') return `${isRead} AND urls.depth = 0`
  return `visits.links > 0 AND urls.depth >= ${Math.floor(which.fromDepth)} AND urls.hop <> 'asset'`
}
