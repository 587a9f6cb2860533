import { rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { openSharedDatabase } from '../../database/sqlite.ts'
import { CrawlerError, messageOf } from '../../errors.ts'
import { type DiskTableMemory, databaseFile, TABLE_SLOT } from './disk-allocation.ts'

/** The state of a table at some moment. */
export interface DiskMark {
  readonly epoch: number
  readonly rows: number
}

/** The primary key is the UNIQUE column; without a row id there is one tree instead of two. */
const TABLE = `CREATE TABLE IF NOT EXISTS seen (
  url TEXT PRIMARY KEY, epoch INTEGER NOT NULL
) STRICT, WITHOUT ROWID`

const SIZE =
  'SELECT page_count * page_size / 1024 AS kibibytes FROM pragma_page_count(), pragma_page_size()'

interface OpenTable {
  readonly database: DatabaseSync
  readonly find: StatementSync
  readonly insert: StatementSync
  readonly remove: StatementSync
  readonly size: StatementSync
}

/**
 * Whole URLs in a database that each thread opens on first use. Writers hold a lock that all
 * threads share; readers need none. Writes of a thread that died before its commit are gone.
 */
export class DiskUrlTable {
  readonly #memory: DiskTableMemory
  readonly #words: Int32Array
  #opened: OpenTable | undefined

  constructor(memory: DiskTableMemory) {
    this.#memory = memory
    this.#words = new Int32Array(memory.words)
  }

  /** Rises with each change, so an equal number means that nothing has changed. */
  get writes(): number {
    return Atomics.load(this.#words, TABLE_SLOT.writes)
  }

  /** Rises with each removal. */
  get removals(): number {
    return Atomics.load(this.#words, TABLE_SLOT.removals)
  }

  /** Size on disk, without the log of recent writes. */
  get bytes(): number {
    if (Atomics.load(this.#words, TABLE_SLOT.isBegun) === 0) return 0
    return 1024 * Atomics.load(this.#words, TABLE_SLOT.kibibytes)
  }

  has(url: string): boolean {
    if (Atomics.load(this.#words, TABLE_SLOT.isBegun) === 0) return false
    return this.#open().find.get(url) !== undefined
  }

  /**
   * Inserts URLs and returns for each one, in order, whether it was missing. The caller holds the
   * lock.
   */
  insert(urls: readonly string[]): boolean[] {
    this.#begin()
    const epoch = Atomics.load(this.#words, TABLE_SLOT.epoch)
    return this.#write(({ insert }) => urls.map((url) => insert.run(url, epoch).changes === 1), 1)
  }

  /**
   * Removes URLs and returns for each one, in order, whether it was there. The caller holds the
   * lock.
   */
  remove(urls: readonly string[]): boolean[] {
    if (Atomics.load(this.#words, TABLE_SLOT.isBegun) === 0) return urls.map(() => false)
    const removed = this.#write(
      ({ remove }) => urls.map((url) => remove.run(url).changes === 1),
      -1,
    )
    Atomics.add(this.#words, TABLE_SLOT.removals, 1)
    return removed
  }

  /** Makes a kept table durable and returns its mark; the caller holds the lock. */
  mark(): DiskMark {
    this.#begin()
    if (this.#memory.isKept) this.#open().database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const epoch = Atomics.add(this.#words, TABLE_SLOT.epoch, 1)
    return { epoch, rows: Atomics.load(this.#words, TABLE_SLOT.rows) }
  }

  /**
   * Continues an earlier process's table without the rows after the mark. Must be the first call.
   * @returns false if the table differs from the marked one, which is ignored then
   */
  revert({ epoch, rows }: DiskMark): boolean {
    if (this.#rowsUpTo(epoch) !== rows) return false
    this.#words[TABLE_SLOT.rows] = rows
    this.#words[TABLE_SLOT.epoch] = epoch + 1
    this.#measure()
    Atomics.store(this.#words, TABLE_SLOT.isBegun, 1)
    return true
  }

  close(): void {
    this.#opened?.database.close()
    this.#opened = undefined
  }

  /** Deletes later rows and counts the others; undefined when the file is damaged. */
  #rowsUpTo(epoch: number): number | undefined {
    try {
      const { database } = this.#open()
      database.prepare('DELETE FROM seen WHERE epoch > ?').run(epoch)
      return Number(database.prepare('SELECT count(*) AS rows FROM seen').get()?.['rows'])
    } catch {
      return undefined
    }
  }

  #write(change: (opened: OpenTable) => boolean[], weight: 1 | -1): boolean[] {
    const opened = this.#open()
    const { database } = opened
    try {
      database.exec('BEGIN IMMEDIATE')
      const changed = change(opened)
      database.exec('COMMIT')
      const count = changed.filter(Boolean).length
      Atomics.add(this.#words, TABLE_SLOT.rows, weight * count)
      Atomics.add(this.#words, TABLE_SLOT.writes, 1)
      this.#measure()
      return changed
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw writeError(this.#memory, cause)
    }
  }

  #measure(): void {
    const kibibytes = Number(this.#open().size.get()?.['kibibytes'])
    Atomics.store(this.#words, TABLE_SLOT.kibibytes, kibibytes)
  }

  /** Creates an empty table, unless that has been done. */
  #begin(): void {
    if (Atomics.load(this.#words, TABLE_SLOT.isBegun) === 1) return
    this.close()
    const file = databaseFile(this.#memory)
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    this.#open()
    Atomics.store(this.#words, TABLE_SLOT.isBegun, 1)
  }

  #open(): OpenTable {
    this.#opened ??= this.#connect()
    return this.#opened
  }

  #connect(): OpenTable {
    try {
      const database = openSharedDatabase(databaseFile(this.#memory), this.#memory.isKept)
      database.exec(TABLE)
      return {
        database,
        find: database.prepare('SELECT 1 FROM seen WHERE url = ?'),
        insert: database.prepare('INSERT OR IGNORE INTO seen (url, epoch) VALUES (?, ?)'),
        remove: database.prepare('DELETE FROM seen WHERE url = ?'),
        size: database.prepare(SIZE),
      }
    } catch (cause) {
      throw writeError(this.#memory, cause)
    }
  }
}

function writeError(memory: DiskTableMemory, cause: unknown): CrawlerError {
  const why = messageOf(cause)
  const message = `${databaseFile(memory)}: the seen set can't be written: ${why}`
  return new CrawlerError('output', message, { cause })
}

/** Continues an earlier process's table from that mark; false when that is impossible. */
export function revertTable(memory: DiskTableMemory, mark: DiskMark): boolean {
  const table = new DiskUrlTable(memory)
  try {
    return table.revert(mark)
  } finally {
    table.close()
  }
}
