import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isPlainFile } from '../database/private-files.ts'
import { openDurableDatabase, openForReading } from '../database/sqlite.ts'
import { CrawlerError, DamageError } from '../errors.ts'
import { readCommitCount } from './commit-count.ts'

/** Name of the database in the directory. */
export const DATABASE_NAME = 'crawl.sqlite'
/** Version of the tables: another one is refused. */
const FORMAT = 5
const NO_FORMAT = 0

/**
 * `crawl` holds single values as JSON: `hash-key`, `settings` (the config), `input` (its source),
 * `ledger`, `tables` (how they were created), `commits` (their number) and `seeds-given-in` (the file
 * that the user gave the seeds to). The tables of URLs and hosts belong to the frontier.
 */
const TABLE = 'CREATE TABLE IF NOT EXISTS crawl (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT'

/** Returns whether a directory seems to contain the state of a crawl. */
export function isState(path: string): boolean {
  return isPlainFile(join(path, DATABASE_NAME))
}

/**
 * Opens the database in a directory, creating it if there is none.
 * @param force go on even if commits are missing
 * @throws DamageError, an Error of SQLite, and CrawlerError('state') for another version's database
 */
export function openToWrite(path: string, force: boolean): DatabaseSync {
  if (!force) checkCommits(path)
  return opened(path, openDurableDatabase(join(path, DATABASE_NAME)), (database) =>
    database.exec(`PRAGMA user_version = ${FORMAT}; ${TABLE}`),
  )
}

/** Opens the database in a directory read-only; throws as `openToWrite`. */
export function openToRead(path: string): DatabaseSync {
  checkCommits(path)
  return opened(path, openForReading(join(path, DATABASE_NAME)))
}

/** Returns whether a database may contain a crawl. */
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

/** @throws DamageError when the database has fewer commits than were counted */
function checkCommits(path: string): void {
  const counted = readCommitCount(path)
  if (counted === 0) return
  if (!isState(path)) throw new DamageError(`${DATABASE_NAME} is missing`)
  const commits = commitsIn(path)
  if (commits >= counted) return
  const missing = `the last ${counted - commits} of ${counted} commits are missing`
  const log = `${DATABASE_NAME}-wal is damaged or was removed`
  throw new DamageError(`${missing}, so ${log}; --force goes on from what is left`)
}

function commitsIn(path: string): number {
  const database = openForReading(join(path, DATABASE_NAME))
  try {
    if (!hasCrawl(database)) return 0
    const rows = database.prepare('SELECT name, value FROM crawl').all()
    const row = rows.find(({ name }) => name === 'commits')
    const commits = Number.parseInt(String(row?.['value']), 10)
    // Reading the whole table later reports the problem with this value.
    return Number.isNaN(commits) && rows.length > 0 ? Number.POSITIVE_INFINITY : commits || 0
  } finally {
    database.close()
  }
}
