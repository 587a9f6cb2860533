import { resolve, sep } from 'node:path'
import { extendedCode, RESULT_CODE, resultCode } from '../database/sqlite.ts'
import { CrawlerError, codeOf, DamageError } from '../errors.ts'

/**
 * Result codes of SQLite for a damaged database: a page or table is missing or different. This is
 * the only reason for which our statements fail with them.
 */
const DAMAGE_CODES: ReadonlySet<number> = new Set([1, 11, 17, 18, 19, 20, 24, 25, 26])
/** Codes for which SQLite's message adds nothing. */
const PLAIN_DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26])
/** A file is shorter than it was. */
const IOERR_SHORT_READ = 522

/**
 * Extended codes if a file system refuses a lock, or the file in which connections share memory (SQLITE_IOERR_RDLOCK,
 * LOCK, SHMOPEN, SHMLOCK, SHMMAP).
 */
const NOT_SHARED: ReadonlySet<number> = new Set([2314, 3850, 4618, 5130, 5386])

/** A journal must be rolled back, which a connection that only reads can't do (SQLITE_READONLY_ROLLBACK). */
const READ_ONLY_ROLLBACK = 776

/** The access of a command to a state directory. */
type Access = 'read' | 'written'

/** By extended code, or else by primary code. */
const STATE_PROBLEMS: ReadonlyMap<number, (access: Access) => string> = new Map([
  [
    READ_ONLY_ROLLBACK,
    () => 'a crawl was killed while it created its database; repeat its command to start it again',
  ],
  [RESULT_CODE.busy, () => 'its database is locked by another program'],
  [RESULT_CODE.noMemory, () => 'there is not enough memory for its database'],
  // SQLite creates files next to a database that it only reads, too.
  [RESULT_CODE.readOnly, () => 'expected a directory that can be written, got a read-only one'],
  [RESULT_CODE.cantOpen, (access: Access) => `expected a directory that can be ${access}`],
])
const SYSTEM_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['EROFS', 'expected a directory that can be written, got a read-only one'],
  ['ENOTDIR', 'expected a directory, got a file'],
  ['EEXIST', 'expected a directory, got a file'],
])

const UNFIT =
  'expected a file system with locks and shared memory, got one without; name a directory on a local disk'
const REMEDY = 'restore a copy, or begin again with another --state'

/**
 * Returns an error of the database or the file system in words for the user. Its kind is `output`
 * if the disk is full or fails, and `state` if the directory can't be used. Returns other errors
 * unchanged, such as those of other files.
 */
export function stateError(directory: string, error: unknown, access: Access = 'written'): unknown {
  if (error instanceof CrawlerError || !(error instanceof Error)) return error
  const damage = describeDamage(error)
  if (damage !== undefined) return stateProblem(directory, `${damage}; ${REMEDY}`, error)
  if (isElsewhere(directory, error)) return error
  const code = resultCode(error)
  if (NOT_SHARED.has(extendedCode(error) ?? 0)) return stateProblem(directory, UNFIT, error)
  const systemCode = codeOf(error)
  const isDiskFull = code === RESULT_CODE.full || systemCode === 'ENOSPC'
  if (isDiskFull || code === RESULT_CODE.ioError || systemCode === 'EIO') {
    const message = `${directory}: can't be written: ${error.message}; the same command resumes later`
    return new CrawlerError('output', message, { cause: error })
  }
  const problem = STATE_PROBLEMS.get(extendedCode(error) ?? 0) ?? STATE_PROBLEMS.get(code ?? 0)
  const text = code === undefined ? systemProblem(error, access) : problem?.(access)
  return text === undefined ? error : stateProblem(directory, text, error)
}

function stateProblem(directory: string, text: string, cause: Error): CrawlerError {
  return new CrawlerError('state', `${directory}: ${text}`, { cause })
}

/** Returns whether an error reports a damaged database. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && describeDamage(error) !== undefined
}

/** Describes the damage; undefined for another kind of error. */
function describeDamage(error: Error): string | undefined {
  const plain = 'its database is damaged'
  if (error instanceof DamageError) return `${plain}: ${error.message}`
  if (extendedCode(error) === IOERR_SHORT_READ) return plain
  const code = resultCode(error)
  if (code === undefined || !DAMAGE_CODES.has(code)) return isTooLarge(error) ? plain : undefined
  return PLAIN_DAMAGE_CODES.has(code) ? plain : `${plain}: ${error.message}`
}

/** Returns whether Node found a number in the database that a crawl never writes. */
function isTooLarge(error: Error): boolean {
  return codeOf(error) === 'ERR_OUT_OF_RANGE' && /too large/.test(error.message)
}

/** Describes an error of the file system. Returns undefined for an error that names no file. */
function systemProblem(error: NodeJS.ErrnoException, access: Access): string | undefined {
  if (error.path === undefined) return undefined
  if (error.code === 'EACCES')
    return `expected a directory that can be ${access}, got one without permission`
  return SYSTEM_PROBLEMS.get(codeOf(error)) ?? `can't be used: ${error.message}`
}

/** Returns whether an error names a file that is neither the directory, nor inside it, nor one of its parents. */
function isElsewhere(directory: string, { path }: NodeJS.ErrnoException): boolean {
  if (path === undefined) return false
  return !isInside(path, directory) && !isInside(directory, path)
}

/** Returns whether a path is a folder or is inside it. */
function isInside(path: string, folder: string): boolean {
  // The root ends with a separator already.
  const withSeparator = (each: string) => resolve(each).replace(/[\\/]?$/, sep)
  return withSeparator(path).startsWith(withSeparator(folder))
}
