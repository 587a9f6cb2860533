import type { DatabaseSync } from 'node:sqlite'
import { type Stored, stored } from '../../database/stored-value.ts'
import { waitingUrlForm } from './stored-rows.ts'
import { STATE } from './tables.ts'

/** Pages whose links may lead further by the settings of now: all, the seeds, or those from a depth on. */
export type Reread = 'all' | 'seeds' | { readonly fromDepth: number }

/** A URL that waits, for somebody to say whether it is still wanted. */
export type WaitingUrl = Stored<typeof waitingUrlForm>

const TABLE = 'CREATE TABLE IF NOT EXISTS rereads (url INTEGER PRIMARY KEY REFERENCES urls) STRICT'

const WAITING = `${STATE.ready}, ${STATE.deferred}, ${STATE.inFlight}`

/**
 * Pages that have their record, and are fetched again for their links alone: a crawl goes on with settings
 * by which these lead further than those of before. The table `rereads` holds them until they are read.
 */
export class Rereads {
  readonly #database: DatabaseSync
  readonly #has
  readonly #remove
  #size: number

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#database = database
    this.#has = database.prepare('SELECT 1 FROM rereads WHERE url = ?')
    this.#remove = database.prepare('DELETE FROM rereads WHERE url = ?')
    this.#size = this.#count()
  }

  /** How many wait or are under way. */
  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    return this.#size > 0 && this.#has.get(id) !== undefined
  }

  /** A page is read, or can't be. */
  remove(id: number): void {
    if (this.#size > 0) this.#size -= Number(this.#remove.run(id).changes)
  }

  /**
   * Lets pages wait again, to be called before the frontier resumes: those that were read, and redirects. Of
   * pages that wait anyway, to be visited again, nothing is asked by a condition: 304 has no links.
   */
  add(which: Reread): void {
    const pages = `FROM urls JOIN visits ON visits.url = urls.id WHERE ${conditionOf(which)} AND urls.state`
    this.#database.exec(`
      UPDATE visits SET etag = NULL, last_modified = NULL
        WHERE url IN (SELECT urls.id ${pages} = ${STATE.ready});
      INSERT OR IGNORE INTO rereads SELECT urls.id ${pages} = ${STATE.visited};
      UPDATE urls SET state = ${STATE.ready}, failures = 0
        WHERE state = ${STATE.visited} AND id IN (SELECT url FROM rereads)`)
    this.#size = this.#count()
  }

  /** Lets URLs below a depth wait again that were kept out, to be judged anew. */
  addKeptOut(below: number): void {
    this.#database.exec(
      `UPDATE urls SET state = ${STATE.ready}
       WHERE state IN (${STATE.forbidden}, ${STATE.skipped}) AND depth > ${Math.floor(below)}`,
    )
  }

  /** Takes out of what waits whatever is not wanted any more; gives what has no record. */
  *drop(isWanted: (url: WaitingUrl) => boolean): Generator<WaitingUrl> {
    const page = this.#database.prepare(
      `SELECT u.id, u.url, u.depth, u.hop, via.url AS via FROM urls AS u LEFT JOIN urls AS via ON via.id = u.via
       WHERE u.id > ? AND u.state IN (${WAITING}) ORDER BY u.id LIMIT 1000`,
    )
    const setState = this.#database.prepare('UPDATE urls SET state = ? WHERE id = ?')
    for (let last = 0; ; ) {
      const waiting = page.all(last).map((row) => stored(waitingUrlForm, row, 'urls'))
      if (waiting.length === 0) return
      for (const each of waiting.filter((url) => !isWanted(url))) {
        const isReread = this.has(each.id)
        this.remove(each.id)
        setState.run(isReread ? STATE.visited : STATE.skipped, each.id)
        if (!isReread) yield each
      }
      last = waiting.at(-1)?.id ?? last
    }
  }

  #count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS pages FROM rereads').get()?.['pages'])
  }
}

/** Links of style sheets lead to what stands at the same depth. */
function conditionOf(which: Reread): string {
  const isRead = '(visits.links IS NOT NULL OR visits.status BETWEEN 300 AND 399)'
  if (which === 'all') return isRead
  if (which === 'seeds') return `${isRead} AND urls.depth = 0`
  return `visits.links > 0 AND urls.depth >= ${Math.floor(which.fromDepth)} AND urls.hop <> 'asset'`
}
