import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Pages of the database kept in memory, in KiB. */
const CACHE_KIB = 32_768
/** Pages of 4 KiB that the write-ahead log grows to before SQLite moves them into the database. */
const WAL_PAGES = 4_096
/** Bytes that the file of the log keeps after a burst. */
const WAL_LIMIT = 64 * 2 ** 20

/** Time that another program may hold the database, in milliseconds. */
const PATIENCE_MS = 5_000

/**
 * A private database in a file of its own that the system removes when it is closed, however the
 * process ends: SQLite unlinks it right after opening. Only pages beyond the cache reach the disk.
 */
export function openTemporaryDatabase(): DatabaseSync {
  const database = open('')
  // One transaction from open to close: there is nothing to be made durable, and each commit would
  // cost as much as ten statements.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  return database
}

/**
 * A database that is made in one go, with a transaction open: half of it is worth nothing, so nothing is
 * done to keep it whole.
 */
export function openNewDatabase(file: string): DatabaseSync {
  const database = open(file)
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
  return database
}

/**
 * A database that others may read meanwhile. A commit survives the end of the process at once, and a
 * power cut once the system has written it; what that leaves behind is whole, if older.
 * @throws an Error with `errcode`, as SQLite gives it
 */
export function openDurableDatabase(file: string): DatabaseSync {
  makePrivate(file)
  const database = open(file)
  database.exec(`
    PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${WAL_PAGES}; PRAGMA journal_size_limit = ${WAL_LIMIT};
  `)
  return database
}

/** Pages of a shared database that each thread keeps in memory, in KiB. */
const THREAD_CACHE_KIB = 8_192

/**
 * A database that several threads open at once, each for itself.
 * @param isKept whether what is in it outlives the process; otherwise nothing is made durable
 * @throws an Error with `errcode`, as SQLite gives it
 */
export function openSharedDatabase(file: string, isKept: boolean): DatabaseSync {
  makePrivate(file)
  const database = open(file)
  database.exec(`
    PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${isKept ? 'NORMAL' : 'OFF'}; PRAGMA cache_size = -${THREAD_CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${WAL_PAGES}; PRAGMA journal_size_limit = ${WAL_LIMIT};
  `)
  return database
}

/**
 * A database that another process may write to meanwhile.
 * @throws an Error with `errcode`, as SQLite gives it
 */
export function openForReading(file: string): DatabaseSync {
  return new (loadQuietly().DatabaseSync)(file, { readOnly: true, timeout: PATIENCE_MS })
}

/** Time for which somebody may look whether a lock is held, in milliseconds. */
const GLANCE_MS = 250

/** @returns a handle of the lock, to be closed; undefined when another process holds it */
export function takeLock(file: string): DatabaseSync | undefined {
  makePrivate(file)
  const database = open(file)
  try {
    // The system drops it when the process ends, however that comes about.
    const lock = `PRAGMA busy_timeout = ${GLANCE_MS}; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE`
    database.exec(lock)
    return database
  } catch (error) {
    database.close()
    if (resultCode(error) === SQLITE_BUSY) return undefined
    throw error
  }
}

/** Returns whether a process holds a lock. A lock that can't be read is held by nobody. */
export function isLocked(file: string): boolean {
  try {
    const database = new (loadQuietly().DatabaseSync)(file, { readOnly: true })
    try {
      database.prepare('SELECT 1 FROM sqlite_schema').get()
      return false
    } finally {
      database.close()
    }
  } catch (error) {
    return resultCode(error) === SQLITE_BUSY
  }
}

const SQLITE_BUSY = 5

/** The primary result code of an error of SQLite (sqlite.org/rescode.html); undefined for others. */
export function resultCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code && code & 0xff
}

/** The same, with what SQLite knows besides. */
export function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}

/**
 * Makes a file that only its owner reads, where there is none; SQLite gives its mode to those beside it. One that is
 * there is not opened: to close it would end the locks that the process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/**
 * With `REFERENCES` as a comment only: to keep it, SQLite would look at all rows for each one that is deleted, and
 * twice into the tables for each one that is added.
 */
function open(file: string): DatabaseSync {
  const database = new (loadQuietly().DatabaseSync)(file, { enableForeignKeyConstraints: false })
  // A stranger's tables may come with triggers.
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}

/** Node 22 warns on stderr when `node:sqlite` is loaded; stderr is for the log. */
function loadQuietly(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
