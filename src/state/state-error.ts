import { CrawlerError } from '../errors.ts'
import { resultCode } from '../sqlite.ts'

/** Result codes of SQLite that the user can do something about (sqlite.org/rescode.html). */
const [BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 8, 10, 11, 13, 14, 26]

const STATE_PROBLEMS: ReadonlyMap<number, string> = new Map([
  [BUSY, 'its database is locked by another program'],
  [READONLY, 'expected a directory that can be written, got a read-only one'],
  [CANTOPEN, 'expected a directory that can be written'],
  [CORRUPT, 'its database is damaged'],
  [NOTADB, 'its database is damaged'],
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
  const code = resultCode(error)
  const systemCode = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === FULL || code === IOERR || systemCode === 'ENOSPC' || systemCode === 'EIO') {
    const message = `${directory}: can't be written: ${error.message}; the same command goes on later`
    return new CrawlerError('output', message, { cause: error })
  }
  const problem = code === undefined ? systemProblem(directory, error) : STATE_PROBLEMS.get(code)
  if (problem === undefined) return error
  return new CrawlerError('state', `${directory}: ${problem}`, { cause: error })
}

/** In the system's own words where we have none. */
function systemProblem(directory: string, error: NodeJS.ErrnoException): string | undefined {
  const isOurs = error.path?.startsWith(directory) ?? false
  return (
    SYSTEM_PROBLEMS.get(error.code ?? '') ??
    (isOurs ? `can't be used: ${error.message}` : undefined)
  )
}
