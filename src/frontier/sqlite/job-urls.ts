import type { DatabaseSync } from 'node:sqlite'
import { URL_STATE } from '../storage/known-url-table.ts'

/** Changes of the table of URLs that only a process of a job makes: it borrows its URLs from the shared queue. */
export class JobUrls {
  readonly #setAttempts
  readonly #remove
  readonly #waiting
  readonly #removeWaiting

  constructor(database: DatabaseSync) {
    const waiting = `FROM urls WHERE host = ? AND state IN (${URL_STATE.ready}, ${URL_STATE.deferred})`
    this.#setAttempts = database.prepare('UPDATE urls SET attempts = ? WHERE id = ?')
    this.#remove = database.prepare('DELETE FROM urls WHERE id = ?')
    this.#waiting = database.prepare(`SELECT id, depth ${waiting}`)
    this.#removeWaiting = database.prepare(`DELETE ${waiting}`)
  }

  /** Sets how often a URL was handed out, by other processes too. */
  setAttempts(id: number, attempts: number): void {
    this.#setAttempts.run(attempts, id)
  }

  /** Removes a URL. The shared queue still knows it. */
  remove(id: number): void {
    this.#remove.run(id)
  }

  /** Removes and returns the waiting URLs of a host. */
  removeWaiting(host: number): { readonly id: number; readonly depth: number }[] {
    const rows = this.#waiting.all(host) as unknown as { id: number; depth: number }[]
    this.#removeWaiting.run(host)
    return rows
  }
}
