import { tmpdir } from 'node:os'
import { CrawlerError, messageOf } from '../errors.ts'
import { isWritableFolder, RESULT_CODE, resultCode } from './sqlite.ts'

/** Result codes for a disk that is full, fails or can't be written. */
const DISK_CODES: ReadonlySet<number | undefined> = new Set([
  RESULT_CODE.ioError,
  RESULT_CODE.full,
  RESULT_CODE.cantOpen,
])

/**
 * Returns an error of kind `output` for users if the disk caused an error of a temporary database. Other errors are
 * returned unchanged. Errors of databases with a name must be handled before: their disk may be another one.
 */
export function temporaryDatabaseError(cause: unknown): unknown {
  if (!DISK_CODES.has(resultCode(cause))) return cause
  const message = `${temporaryFolder()}: can't be written: ${messageOf(cause)}; ${remedy()}`
  return new CrawlerError('output', message, { cause })
}

/**
 * Returns an error of kind `output` for users if a disk caused an error of a database in a file: that of the file, or
 * that of the temporary files with which SQLite sorts. Other errors are returned unchanged.
 */
export function databaseFileError(file: string, cause: unknown): unknown {
  if (!DISK_CODES.has(resultCode(cause))) return cause
  const why = `${messageOf(cause)}, there or in ${temporaryFolder()}`
  return new CrawlerError('output', `${file}: can't be written: ${why}; ${remedy()}`, { cause })
}

function remedy(): string {
  return `set ${decidingVariable()} to another folder for temporary files`
}

/** Returns the environment variable that decides where SQLite creates temporary files. */
function decidingVariable(): string {
  if (process.platform === 'win32') return 'TMP'
  return process.env['SQLITE_TMPDIR'] === undefined ? 'TMPDIR' : 'SQLITE_TMPDIR'
}

/** Returns the folder in which SQLite creates temporary files (sqlite.org/tempfiles.html). */
function temporaryFolder(): string {
  if (process.platform === 'win32') return process.env['TMP'] ?? tmpdir()
  const { SQLITE_TMPDIR, TMPDIR } = process.env
  const folders = [SQLITE_TMPDIR, TMPDIR, '/var/tmp', '/usr/tmp', '/tmp']
  return folders.find((folder) => folder !== undefined && isWritableFolder(folder)) ?? '.'
}
