import {
  chmodSync,
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { CrawlerError, codeOf } from '../errors.ts'

/** Names of all files that a crawl puts into its directory; SQLite adds suffixes of its own. */
const STATE_FILES =
  /^(?:crawl|lock|seen)\.sqlite(?:-|$)|^seen-\d\.snapshot(?:\.|$)|^(?:commits|created|pid)$/

/** The magic number at the start of a SQLite journal, and at the end of one that names a super-journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex')

/**
 * Makes a directory and the crawl's files in it readable by their owner only: they contain cookies
 * and all URLs.
 * @returns the previous mode of the directory
 * @throws CrawlerError('state') if another user owns the directory or a file in it, or if one of the
 * crawl's files is not a regular file: somebody may have planted a link, and nothing must be written
 * through it
 */
export function makePrivate(path: string): number {
  const { mode, uid } = statSync(path)
  const user = process.geteuid?.()
  if (user !== undefined && ![uid, 0].includes(user)) throw foreignError(path, 'a directory')
  // The directory comes first, so that nobody else can put a link into it any more.
  setMode(path, 0o700)
  for (const file of checkedStateFiles(path)) {
    const isForeign = user !== undefined && ![uid, user].includes(lstatSync(file).uid)
    if (isForeign) throw foreignError(path, basename(file))
    setMode(file, 0o600)
  }
  return mode
}

/** Returns whether a crawl gives a file in its directory this name. */
export function isStateFile(name: string): boolean {
  return STATE_FILES.test(name)
}

/** Returns the error for a directory or file of another user, who could read and change it whatever its mode is. */
function foreignError(path: string, what: string): CrawlerError {
  const message = `${path}: expected ${what} of your own, got one of another user`
  return new CrawlerError('state', message)
}

/**
 * Checks that the crawl's files in a directory are regular files, before they are read: opening a
 * planted pipe would block for ever.
 * @returns their paths
 * @throws CrawlerError('state') if one is not a regular file, or is a journal of several databases
 */
export function checkedStateFiles(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true })
  const files = entries.filter(({ name }) => isStateFile(name))
  for (const entry of files) checkPlain(path, entry)
  return files.map(({ name }) => join(path, name))
}

/** Writes a small file that only its owner can read, replacing anything of that name. */
export function writePrivateFile(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
}

/** Returns whether the path is a regular file, and not a link to one. */
export function isFileNotLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function checkPlain(path: string, entry: Dirent): void {
  if (!entry.isFile()) {
    const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'something else'
    throw new CrawlerError('state', `${path}: expected ${entry.name} to be a file, got ${kind}`)
  }
  if (entry.name.endsWith('-journal') && namesOtherJournal(join(path, entry.name))) {
    const message = `${path}: expected ${entry.name} to belong to its database alone, got a journal of several`
    throw new CrawlerError('state', message)
  }
}

/**
 * Returns whether a journal is of a transaction over several databases, which a crawl never has.
 * Such a journal names a file, and SQLite deletes that file
 * (sqlite.org/fileformat2.html#the_super_journal_file).
 */
function namesOtherJournal(file: string): boolean {
  const end = Buffer.alloc(JOURNAL_MAGIC.length)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, end, { position: Math.max(0, fstatSync(descriptor).size - end.length) })
    return end.equals(JOURNAL_MAGIC)
  } finally {
    closeSync(descriptor)
  }
}

/** Errors of file systems without modes, whose mount options decide who has access. */
const NO_MODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS'])

/** Sets the mode of a file, if its file system has modes. */
export function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!NO_MODES.has(codeOf(error))) throw error
  }
}
