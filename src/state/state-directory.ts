import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Config, ConfigInput } from '../config/schema.ts'
import { isLocked, takeLock } from '../database/sqlite.ts'
import { CrawlerError, DamageError } from '../errors.ts'
import { FIXED_HASH_KEY, type HashKey, randomHashKey } from '../hashing/half-siphash.ts'
import { bootId, CommitCount } from './commit-count.ts'
import { readCrawlTable } from './crawl-table.ts'
import { CreatedFiles } from './created-files.ts'
import { isDamage, stateError } from './explain-state-error.ts'
import { identityOf } from './file-identities.ts'
import type { Ledger, SavedCrawl } from './ledger.ts'
import { findMovedFiles, type MovedFiles, withMovedFiles } from './moved-files.ts'
import { prepareFolder, removeFolder, type StateFolder } from './prepare-folder.ts'
import { writePrivateFile } from './private-state-files.ts'
import { DATABASE_NAME, openToWrite } from './state-database.ts'
import { TableDefinitions } from './table-definitions.ts'

const LOCK_NAME = 'lock.sqlite'
const PID_NAME = 'pid'
/** Files that identify a state. */
const IDENTIFYING_FILES = [DATABASE_NAME, LOCK_NAME]

/** The directory of `--state`. It stores one crawl, and one process at a time can use it. */
export class StateDirectory {
  readonly path: string
  readonly database: DatabaseSync
  hashKey: HashKey
  /** Output files that this crawl created. */
  readonly created: CreatedFiles
  /** The crawl that an earlier run stored; undefined on the first run. */
  saved: SavedCrawl | undefined
  /** True if the user gave the stored seeds here; false in a copy of the directory, or if a found config file did. */
  readonly hasGivenSeeds: boolean
  /** Output files that have moved since the last run. */
  #moved: MovedFiles = new Map()
  readonly #folder: StateFolder
  readonly #lock: DatabaseSync
  readonly #put
  readonly #tables: TableDefinitions
  readonly #count: CommitCount
  /** Identity of the database file. */
  readonly #identity: string
  #commits: number
  /** True if the database file itself, without its write-ahead log, may not name this boot yet. */
  #isNewBoot: boolean
  #holdsCrawl: boolean

  private constructor(folder: StateFolder, lock: DatabaseSync, database: DatabaseSync) {
    const { path } = folder
    this.path = path
    this.created = new CreatedFiles(path)
    this.#folder = folder
    this.#lock = lock
    this.database = database
    this.#put = database.prepare('INSERT OR REPLACE INTO crawl (name, value) VALUES (?, ?)')
    const kept = readCrawlTable(database)
    this.saved = kept?.saved
    this.#identity = databaseIdentity(path)
    this.hasGivenSeeds = kept !== undefined && kept.seedsGivenIn === this.#identity
    this.#holdsCrawl = kept !== undefined
    this.#commits = kept?.commits ?? 0
    this.#count = new CommitCount(path)
    this.#count.write(this.#commits)
    this.#isNewBoot = bootId() !== '' && kept?.boot !== bootId()
    this.#tables = new TableDefinitions(database)
    this.hashKey = kept?.hashKey ?? randomHashKey()
    database.exec('BEGIN IMMEDIATE')
    this.#write('hash-key', this.hashKey)
    if (this.#isNewBoot) this.#write('boot', bootId())
  }

  /**
   * Opens a directory, creating it if there is none.
   * @param force opens the directory even if commits are missing
   * @throws CrawlerError('state') if it can't be used, or another process uses it
   */
  static open(path: string, force = false): StateDirectory {
    let lock: DatabaseSync | undefined
    let database: DatabaseSync | undefined
    try {
      const folder = prepareFolder(path, IDENTIFYING_FILES)
      lock = acquireLock(path)
      database = openToWrite(path, force)
      return new StateDirectory(folder, lock, database)
    } catch (error) {
      database?.close()
      lock?.close()
      throw stateError(path, error)
    }
  }

  /** True if this run or an earlier one has committed. */
  get holdsCrawl(): boolean {
    return this.#holdsCrawl
  }

  /** Returns the name of an output in the last run if it has moved since. */
  formerName(name: string): string | undefined {
    return [...this.#moved].find(([, place]) => place === resolve(name))?.[0]
  }

  /** Continues the output files that have moved since the last run, at their new places. */
  followMovedFiles(config: Config): void {
    if (this.saved === undefined) return
    this.#moved = findMovedFiles(this.saved, config)
    if (this.#moved.size > 0) this.saved = withMovedFiles(this.saved, this.#moved)
  }

  /** Adds the settings to the next commit. */
  storeSettings(settings: Config, input: ConfigInput): void {
    if (settings.deterministic && this.saved === undefined) {
      this.hashKey = FIXED_HASH_KEY
      this.#write('hash-key', this.hashKey)
    }
    this.#write('settings', settings)
    this.#write('input', input)
    this.#write('seeds-given-in', settings.seedsMayBePrivate ? this.#identity : '')
  }

  /**
   * Makes all changes since the last commit durable, with this ledger.
   * @throws CrawlerError('state') if the database was removed or replaced: nobody would find the commit
   */
  commit(ledger: Ledger): void {
    if (identityOf(join(this.path, DATABASE_NAME)) !== this.#identity) {
      const message = `${this.path}: ${DATABASE_NAME} was removed or replaced while it was used, so the crawl can't be resumed`
      throw new CrawlerError('state', message)
    }
    this.#write('ledger', ledger)
    this.#write('commits', ++this.#commits)
    const tables = this.#tables.changedDefinitions()
    if (tables !== undefined) this.#write('tables', tables)
    this.database.exec('COMMIT')
    this.#count.write(this.#commits)
    this.#holdsCrawl = true
    // The database file gets this boot's id: if both the log and the count are lost, it shows that there was a count.
    if (this.#isNewBoot) this.database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    this.#isNewBoot = false
    this.database.exec('BEGIN IMMEDIATE')
  }

  /**
   * Drops uncommitted changes. If nothing was ever committed, removes all files and folders that were
   * created. May be called repeatedly.
   */
  close(): void {
    if (!this.database.isOpen) return
    this.database.close()
    this.#count.close()
    rmSync(join(this.path, PID_NAME), { force: true })
    // Windows removes no file that is open.
    if (process.platform === 'win32') this.#lock.close()
    if (!this.#holdsCrawl) removeFolder(this.#folder)
    if (this.#lock.isOpen) this.#lock.close()
  }

  #write(name: string, value: unknown): void {
    this.#put.run(name, JSON.stringify(value))
  }
}

/**
 * Returns the identity of a database file, which differs from that of any copy.
 * @throws DamageError when it is missing
 */
function databaseIdentity(path: string): string {
  const identity = identityOf(join(path, DATABASE_NAME))
  if (identity === undefined) throw new DamageError(`${DATABASE_NAME} is missing`)
  return identity
}

/** Returns whether a process uses a directory. */
export function isInUse(path: string): boolean {
  return isLocked(join(path, LOCK_NAME))
}

function acquireLock(path: string): DatabaseSync {
  const lock = takeLockIn(path)
  if (lock === undefined) {
    throw new CrawlerError('state', `${path}: is in use by process ${pidIn(path)}`)
  }
  writePrivateFile(join(path, PID_NAME), `${process.pid}\n`)
  return lock
}

function takeLockIn(path: string): DatabaseSync | undefined {
  try {
    return takeLock(join(path, LOCK_NAME))
  } catch (error) {
    if (!isDamage(error)) throw error
    const message = `${path}: ${LOCK_NAME} is damaged; it contains no data, so it can be deleted`
    throw new CrawlerError('state', message, { cause: error })
  }
}

function pidIn(path: string): string {
  try {
    return readFileSync(join(path, PID_NAME), 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
