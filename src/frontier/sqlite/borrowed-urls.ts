import type { DatabaseSync } from 'node:sqlite'
import { STATE } from './tables.ts'

/** Changes of the table of URLs where it holds only what was taken out of a queue that many share. */
export class BorrowedUrls {
  readonly #setAttempts
  readonly #remove
  readonly #waiting
  readonly #removeWaiting

  constructor(database: DatabaseSync) {
    const waiting = `FROM urls WHERE host = ? AND state IN (${STATE.ready}, ${STATE.deferred})`
    this.#setAttempts = database.prepare('UPDATE urls SET attempts = ? WHERE id = ?')
    this.#remove = database.prepare('DELETE FROM urls WHERE id = ?')
    this.#waiting = database.prepare(`SELECT id, depth ${waiting}`)
    this.#removeWaiting = database.prepare(`DELETE ${waiting}`)
  }

  /** How often it was handed out, by other processes too. */
  setAttempts(id: number, attempts: number): void {
    this.#setAttempts.run(attempts, id)
  }

  /** Somebody else remembers it. */
  remove(id: number): void {
    this.#remove.run(id)
  }

  /** Takes out what waits of a host, and gives it. */
  removeWaiting(host: number): { readonly id: number; readonly depth: number }[] {
    const rows = this.#waiting.all(host) as unknown as { id: number; depth: number }[]
    this.#removeWaiting.run(host)
    return rows
  }
}
