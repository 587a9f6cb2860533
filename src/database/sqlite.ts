import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { codeOf, isError } from '../errors.ts'

/** The path for which SQLite creates a temporary database. */
const TEMPORARY = ''
/** Memory for the pages of a database in each connection, in KiB. */
const CACHE_KIB = 8_192
/** Size in 4 KiB pages at which SQLite moves the write-ahead log into the database. */
const WAL_PAGES = 4_096
/** Bytes of the log file that remain after a burst. */
const WAL_LIMIT_BYTES = 64 * 2 ** 20

/** Time to wait for another program's lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000

/**
 * Opens a private database in a file that the system removes when it is closed, however the process
 * ends: SQLite unlinks it right after opening. Only pages beyond the cache reach the disk.
 */
export function openTemporaryDatabase(): DatabaseSync {
  const database = open(TEMPORARY)
  // One transaction from open to close: nothing has to be durable, and each commit would cost as
  // much as ten statements.
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  return database
}

/**
 * Opens a database that is written once, and begins a transaction. It is not protected against a
 * crash, since a database that is only half written has no use.
 */
export function openNewDatabase(file: string): DatabaseSync {
  const database = open(file)
  // A journal in a file would stay next to the database if the process is killed. Node 26 ignores OFF.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN')
  return database
}

/**
 * Opens a database that other threads and processes may use at the same time, each with a
 * connection of its own.
 * @param isKept true if its content outlives the process. A commit then survives the end of the
 *   process at once, and a power cut as soon as the system has written it. A power cut before that
 *   leaves an older state, but an intact database. If false, nothing is made durable
 * @throws an Error with SQLite's `errcode`
 */
export function openSharedDatabase(file: string, isKept = true): DatabaseSync {
  createPrivateFile(file)
  const database = open(file)
  database.exec(`
    PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${isKept ? 'NORMAL' : 'OFF'}; PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${WAL_PAGES}; PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
  `)
  return database
}

/**
 * Opens a database that another process may be writing to.
 * @throws an Error with SQLite's `errcode`
 */
export function openForReading(file: string): DatabaseSync {
  const options = { readOnly: true, timeout: LOCK_TIMEOUT_MS }
  if (isWritableFolder(dirname(resolve(file))) || existsSync(`${file}-wal`))
    return connect(file, options)
  // SQLite creates a file next to a database that it reads, unless nobody can change the database.
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return new (loadSqlite().DatabaseSync)(url, options)
}

/** Returns whether files can be created in a folder. */
export function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** Time for which another process may test whether a lock is held, in milliseconds. */
const LOCK_TEST_MS = 250

/**
 * Takes a lock.
 * @returns a handle, which releases the lock when it is closed; undefined if another process has the lock
 */
export function takeLock(file: string): DatabaseSync | undefined {
  createPrivateFile(file)
  const database = open(file)
  try {
    // The system releases the lock when the process ends, even if it is killed.
    const lock = `PRAGMA busy_timeout = ${LOCK_TEST_MS}; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE`
    database.exec(lock)
    return database
  } catch (error) {
    database.close()
    if (resultCode(error) === RESULT_CODE.busy) return undefined
    throw error
  }
}

/** Returns whether a process holds a lock. An unreadable lock counts as free. */
export function isLocked(file: string): boolean {
  try {
    const database = connect(file, { readOnly: true })
    try {
      database.prepare('SELECT 1 FROM sqlite_schema').get()
      return false
    } finally {
      database.close()
    }
  } catch (error) {
    return resultCode(error) === RESULT_CODE.busy
  }
}

/** Primary result codes of SQLite that callers distinguish (sqlite.org/rescode.html). */
export const RESULT_CODE = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  full: 13,
  cantOpen: 14,
} as const

/**
 * Returns the primary result code of a SQLite error (sqlite.org/rescode.html); undefined for
 * others.
 */
export function resultCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code && code & 0xff
}

/** Returns the extended result code of a SQLite error. */
export function extendedCode(error: unknown): number | undefined {
  if (!isError(error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}

/**
 * Creates a file that only its owner can read, if there is none. SQLite creates the files next to it
 * with the same mode. An existing file is not opened: closing it would release the locks that the
 * process has on it.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Opens a database in which `REFERENCES` serves only as a comment. To enforce it, SQLite would scan
 * all rows on each deletion, and search the tables twice on each insertion.
 */
function open(file: string): DatabaseSync {
  const database = connect(file, { enableForeignKeyConstraints: false })
  // A database of unknown origin may have triggers.
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}

/** Connects to a database. SQLite would take a relative path such as `file:state` for a URI. */
function connect(file: string, options: DatabaseSyncOptions): DatabaseSync {
  return new (loadSqlite().DatabaseSync)(file === TEMPORARY ? file : resolve(file), options)
}

/** Loads `node:sqlite` without the warning that Node 22 prints on stderr: stderr is for the log. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
