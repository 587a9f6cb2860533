import { extendedCode, resultCode } from '../database/sqlite.ts'
import { CrawlerError, DamageError } from '../errors.ts'

/** Result codes of SQLite that the user can do something about (sqlite.org/rescode.html). */
const [BUSY, NOMEM, READONLY, IOERR, FULL, CANTOPEN] = [5, 7, 8, 10, 13, 14]
/**
 * Those that say that a database is not as it was made: a page or a table is missing, or is another one. A statement
 * of ours fails for nothing else.
 */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 17, 18, 19, 20, 24, 25, 26])
/** Of these, the words of SQLite say no more. */
const PLAIN_DAMAGE: ReadonlySet<number> = new Set([11, 26])
/** A file that is shorter than it was. */
const IOERR_SHORT_READ = 522

const STATE_PROBLEMS: ReadonlyMap<number, string> = new Map([
  [BUSY, 'its database is locked by another program'],
  [NOMEM, 'there is not enough memory for its database'],
  [READONLY, 'expected a directory that can be written, got a read-only one'],
  [CANTOPEN, 'expected a directory that can be written'],
])
const SYSTEM_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'expected a directory that can be written, got one without permission'],
  ['EROFS', 'expected a directory that can be written, got a read-only one'],
  ['ENOTDIR', 'expected a directory, got a file'],
  ['EEXIST', 'expected a directory, got a file'],
])

/**
 * An error of the database or the file system in words for the user: kind `output` where the disk is
 * full or fails, `state` where the directory can't be used. Others come back as they are.
 */
export function stateError(directory: string, error: unknown): unknown {
  if (error instanceof CrawlerError || !(error instanceof Error)) return error
  const damage = damageIn(error)
  if (damage !== undefined) return problem(directory, damage, error)
  const code = resultCode(error)
  const systemCode = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === FULL || code === IOERR || systemCode === 'ENOSPC' || systemCode === 'EIO') {
    const message = `${directory}: can't be written: ${error.message}; the same command goes on later`
    return new CrawlerError('output', message, { cause: error })
  }
  const text = code === undefined ? systemProblem(directory, error) : STATE_PROBLEMS.get(code)
  return text === undefined ? error : problem(directory, text, error)
}

function problem(directory: string, text: string, cause: Error): CrawlerError {
  return new CrawlerError('state', `${directory}: ${text}`, { cause })
}

/** Returns whether an error says that a database is damaged. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && damageIn(error) !== undefined
}

/** Undefined where the error is of another kind. */
function damageIn(error: Error): string | undefined {
  const plain = 'its database is damaged'
  if (error instanceof DamageError) return `${plain}: ${error.message}`
  if (extendedCode(error) === IOERR_SHORT_READ) return plain
  const code = resultCode(error)
  if (code === undefined || !DAMAGE.has(code)) return isTooLarge(error) ? plain : undefined
  return PLAIN_DAMAGE.has(code) ? plain : `${plain}: ${error.message}`
}

/** Whether Node found a number in a database that is none of ours. */
function isTooLarge(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_OUT_OF_RANGE' && /too large/.test(error.message)
}

/** In the system's own words where we have none. */
function systemProblem(directory: string, error: NodeJS.ErrnoException): string | undefined {
  const isOurs = error.path?.startsWith(directory) ?? false
  return (
    SYSTEM_PROBLEMS.get(error.code ?? '') ??
    (isOurs ? `can't be used: ${error.message}` : undefined)
  )
}
