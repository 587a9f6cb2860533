import type { DatabaseSync } from 'node:sqlite'
import { URL_STATE, type UrlState } from './stored-url.ts'

/** Changes of the table of URLs that only a process of a job makes: it borrows its URLs from the shared queue. */
export class JobUrls {
  readonly #remove
  readonly #waiting

  constructor(database: DatabaseSync) {
    // SQLite uses a partial index only for a single state. For two states, it would read the whole table.
    const inState = (state: UrlState) =>
      `SELECT id, depth FROM urls WHERE host = ? AND state = ${state}`
    this.#remove = database.prepare('DELETE FROM urls WHERE id = ?')
    this.#waiting = database.prepare(
      `${inState(URL_STATE.ready)} UNION ALL ${inState(URL_STATE.deferred)}`,
    )
  }

  /** Removes a URL. The shared queue still knows it. */
  remove(id: number): void {
    this.#remove.run(id)
  }

  /** Removes and returns the waiting URLs of a host. */
  removeWaiting(host: number): { readonly id: number; readonly depth: number }[] {
    const rows = this.#waiting.all(host, host) as unknown as { id: number; depth: number }[]
    for (const { id } of rows) this.remove(id)
    return rows
  }
}
