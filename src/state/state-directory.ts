import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Config, ConfigInput } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { FIXED_HASH_KEY, randomHashKey } from '../seen/half-siphash.ts'
import type { HashKey } from '../seen/seen-set.ts'
import { isLocked, openDurableDatabase, openForReading, takeLock } from '../sqlite.ts'
import { type Folder, prepareFolder, removeFolder } from './folder.ts'
import type { Ledger, SavedCrawl } from './ledger.ts'
import { isPlainFile, writePrivately } from './private-files.ts'
import { stateError } from './state-error.ts'

/** Name of the database in the directory. */
const DATABASE = 'crawl.sqlite'
const LOCK = 'lock.sqlite'
const PID = 'pid'
/** What a state is known by. */
const FILES = [DATABASE, LOCK]
/** Version of the tables: another one is refused. */
const FORMAT = 3
const NONE_YET = 0

/**
 * `crawl` holds what there is one of, as JSON: `hash-key`, `settings` (the config), `input`
 * (what that was made from) and `ledger`.
 * The tables of URLs and hosts are the frontier's.
 */
const TABLE = 'CREATE TABLE IF NOT EXISTS crawl (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT'

/** The directory of `--state`: one crawl, and one process at a time. */
export class StateDirectory {
  readonly path: string
  readonly database: DatabaseSync
  hashKey: HashKey
  /** What an earlier run left; undefined when this is the first. */
  readonly saved: SavedCrawl | undefined
  readonly #folder: Folder
  readonly #lock: DatabaseSync
  readonly #put
  #holdsCrawl: boolean

  private constructor(path: string, folder: Folder, lock: DatabaseSync) {
    this.path = path
    this.#folder = folder
    this.#lock = lock
    this.database = openDurableDatabase(join(path, DATABASE))
    checkFormat(path, this.database)
    this.database.exec(`PRAGMA user_version = ${FORMAT}; ${TABLE}`)
    this.#put = this.database.prepare('INSERT OR REPLACE INTO crawl (name, value) VALUES (?, ?)')
    this.saved = savedIn(this.database)
    this.#holdsCrawl = this.saved !== undefined
    this.hashKey = this.#read<HashKey>('hash-key') ?? randomHashKey()
    this.database.exec('BEGIN IMMEDIATE')
    this.#write('hash-key', this.hashKey)
  }

  /**
   * Opens a directory, made when there is none.
   * @throws CrawlerError('state') when it can't be used, or another process uses it
   */
  static open(path: string): StateDirectory {
    try {
      const folder = prepareFolder(path, FILES)
      const lock = lockOf(path)
      try {
        return new StateDirectory(path, folder, lock)
      } catch (error) {
        lock.close()
        throw error
      }
    } catch (error) {
      throw stateError(path, error)
    }
  }

  /** Makes the settings part of the next commit. */
  keep(settings: Config, input: ConfigInput): void {
    if (settings.deterministic && this.saved === undefined) {
      this.hashKey = FIXED_HASH_KEY
      this.#write('hash-key', this.hashKey)
    }
    this.#write('settings', settings)
    this.#write('input', input)
  }

  /** Makes durable what has happened in the database since the last commit, with this ledger. */
  commit(ledger: Ledger): void {
    this.#write('ledger', ledger)
    this.database.exec('COMMIT')
    this.#holdsCrawl = true
    this.database.exec('BEGIN IMMEDIATE')
  }

  /**
   * What was not committed is gone, and where nothing ever was, so is what was made here. May be called
   * again.
   */
  close(): void {
    if (!this.database.isOpen) return
    this.database.close()
    rmSync(join(this.path, PID), { force: true })
    if (!this.#holdsCrawl) removeFolder(this.#folder, FILES)
    this.#lock.close()
  }

  #write(name: string, value: unknown): void {
    this.#put.run(name, JSON.stringify(value))
  }

  #read<T>(name: string): T | undefined {
    return read<T>(this.database, name)
  }
}

/** What there is to look at. */
interface OpenState {
  readonly database: DatabaseSync
  readonly saved: SavedCrawl
  readonly hashKey: HashKey
}

/**
 * Opens the database of a directory to look at it, also while a crawl goes on there.
 * @throws CrawlerError('state') when it is no state, or a newer version's
 */
export function openState(path: string): OpenState {
  try {
    if (!isPlainFile(join(path, DATABASE))) throw noState(path)
    const database = openForReading(join(path, DATABASE))
    checkFormat(path, database)
    const saved = savedIn(database)
    if (saved === undefined) throw noState(path)
    const hashKey = read<HashKey>(database, 'hash-key')
    if (hashKey === undefined) throw noState(path)
    return { database, saved, hashKey }
  } catch (error) {
    if (error instanceof Error && /no such table/.test(error.message)) throw noState(path)
    throw stateError(path, error)
  }
}

/** Returns whether a process uses a directory. */
export function isInUse(path: string): boolean {
  return isLocked(join(path, LOCK))
}

function noState(path: string): CrawlerError {
  return new CrawlerError('state', `${path}: expected the state of a crawl, got none`)
}

/** The crawl that a database holds, if one has begun. */
function savedIn(database: DatabaseSync): SavedCrawl | undefined {
  const settings = read<SavedCrawl['settings']>(database, 'settings')
  const input = read<SavedCrawl['input']>(database, 'input')
  const ledger = read<Ledger>(database, 'ledger')
  if (settings === undefined || input === undefined || ledger === undefined) return undefined
  return { settings, input, ledger }
}

function read<T>(database: DatabaseSync, name: string): T | undefined {
  const row = database.prepare('SELECT value FROM crawl WHERE name = ?').get(name)
  return row === undefined ? undefined : JSON.parse(String(row['value']))
}

/** @throws CrawlerError('state') when the tables are those of another version */
function checkFormat(path: string, database: DatabaseSync): void {
  const format = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (format === FORMAT || format === NONE_YET) return
  const other = format > FORMAT ? 'a newer' : 'an older'
  const message = `${path}: expected a state of format ${FORMAT}, got ${format}, which ${other} version wrote`
  throw new CrawlerError('state', message)
}

function lockOf(path: string): DatabaseSync {
  const lock = takeLock(join(path, LOCK))
  if (lock === undefined) {
    throw new CrawlerError('state', `${path}: is in use by process ${pidIn(path)}`)
  }
  writePrivately(join(path, PID), `${process.pid}\n`)
  return lock
}

function pidIn(path: string): string {
  try {
    return readFileSync(join(path, PID), 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
