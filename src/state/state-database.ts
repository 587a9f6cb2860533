import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openForReading, openSharedDatabase } from '../database/sqlite.ts'
import { countOf, formatCount } from '../english-text.ts'
import { CrawlerError, DamageError } from '../errors.ts'
import { bootId, readCommitCount } from './commit-count.ts'
import { checkedStateFiles, isFileNotLink } from './private-state-files.ts'

/** Name of the database in the directory. */
export const DATABASE_NAME = 'crawl.sqlite'
/** Version of the tables. A database of another version is refused. */
const FORMAT = 5
const NO_FORMAT = 0
/** Beside the general advice on damage, which follows. */
const REMEDY = '(crawl --force continues with what is left)'

/**
 * The table `crawl` contains single values as JSON:
 * - `hash-key`: the secret key of the URL hash
 * - `settings`: the config
 * - `input`: the flags and the config file that the config was made from
 * - `ledger`: the state of the crawl without its URLs and hosts
 * - `tables`: the definitions of all tables
 * - `commits`: the number of commits
 * - `boot`: the id of the system's boot in which the last commit was made
 * - `seeds-given-in`: the identity that the database file had when the user gave the seeds
 *
 * The tables of URLs and hosts belong to the frontier.
 */
const TABLE = 'CREATE TABLE IF NOT EXISTS crawl (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT'

/** Returns whether a directory seems to contain the state of a crawl. */
export function isState(path: string): boolean {
  return isFileNotLink(join(path, DATABASE_NAME))
}

/**
 * Opens the database in a directory, creating it if there is none.
 * @param force opens the database even if commits are missing
 * @throws DamageError, an Error of SQLite, and CrawlerError('state') for another version's database
 */
export function openToWrite(path: string, force: boolean): DatabaseSync {
  finishRollback(path)
  if (!force) checkCommits(path)
  return opened(path, openSharedDatabase(join(path, DATABASE_NAME)), (database) =>
    database.exec(`PRAGMA user_version = ${FORMAT}; ${TABLE}`),
  )
}

/**
 * Undoes the creation of a database during which the process was killed, since connections that only read can't. Later,
 * a database with a write-ahead log has no journal.
 */
function finishRollback(path: string): void {
  const file = join(path, DATABASE_NAME)
  if (isState(path) && isFileNotLink(`${file}-journal`)) openSharedDatabase(file).close()
}

/**
 * Opens the database in a directory read-only.
 * @throws as `openToWrite`, and CrawlerError('state') for a pipe, link or device instead of a file
 */
export function openToRead(path: string): DatabaseSync {
  checkedStateFiles(path)
  checkCommits(path)
  return opened(path, openForReading(join(path, DATABASE_NAME)))
}

/** Returns whether a database has the table `crawl`. */
export function hasCrawl(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'crawl'").get() !== undefined
}

function opened(
  path: string,
  database: DatabaseSync,
  prepare: (database: DatabaseSync) => void = () => {},
): DatabaseSync {
  try {
    checkFormat(path, database)
    prepare(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** @throws CrawlerError('state') when another version created the tables */
function checkFormat(path: string, database: DatabaseSync): void {
  const format = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (format === FORMAT || format === NO_FORMAT) return
  const other = format > FORMAT ? 'a newer' : 'an older'
  const message = `${path}: expected a state of format ${FORMAT}, got ${format}, which ${other} version wrote`
  throw new CrawlerError('state', message)
}

/** @throws DamageError if the database has fewer commits than were counted, or the count of this boot is missing */
function checkCommits(path: string): void {
  const boot = bootId()
  if (boot === '') return
  const counted = readCommitCount(path)
  if (counted?.boot === boot) {
    checkNumber(path, counted.commits)
    return
  }
  if (!isState(path) || storedCommits(path).boot !== boot) return
  // A crawl that is just starting may have written the count meanwhile.
  if (readCommitCount(path)?.boot === boot) return
  const message = `the file commits is damaged or was removed, so commits may be missing`
  throw new DamageError(`${message} ${REMEDY}`)
}

function checkNumber(path: string, counted: number): void {
  if (counted === 0) return
  if (!isState(path)) throw new DamageError(`${DATABASE_NAME} is missing`)
  const { commits } = storedCommits(path)
  if (commits >= counted) return
  const lost = counted - commits
  const missing = `of ${countOf(counted, 'commit')}, the last ${lost === 1 ? 'is' : `${formatCount(lost)} are`} missing`
  throw new DamageError(`${missing}, so ${DATABASE_NAME}-wal is damaged or was removed ${REMEDY}`)
}

/** Returns the number of commits in the database, and the boot in which the last one was made. */
function storedCommits(path: string): { commits: number; boot: string | undefined } {
  const database = openForReading(join(path, DATABASE_NAME))
  try {
    if (!hasCrawl(database)) return { commits: 0, boot: undefined }
    const rows = database.prepare('SELECT name, value FROM crawl').all()
    const values = new Map(rows.map(({ name, value }) => [name, String(value)]))
    const commits = Number.parseInt(values.get('commits') ?? '', 10)
    // `readCrawlTable` will report that this value is invalid.
    const isUnreadable = Number.isNaN(commits) && rows.length > 0
    return {
      commits: isUnreadable ? Number.POSITIVE_INFINITY : commits || 0,
      boot: values.get('boot')?.slice(1, -1),
    }
  } finally {
    database.close()
  }
}
