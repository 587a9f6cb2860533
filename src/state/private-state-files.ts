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

/** Bytes at the start of a SQLite journal, and at the end of one that names another. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex')

/**
 * Makes a directory and the crawl's files in it readable by their owner only: they contain cookies
 * and all URLs.
 * @returns the previous mode of the directory
 * @throws CrawlerError('state') when another user owns it or a file in it, or a file's name belongs to something
 * else: a stranger may have planted a link there, and nothing must be written through it
 */
export function makePrivate(path: string): number {
  const { mode, uid } = statSync(path)
  const user = process.geteuid?.()
  if (user !== undefined && ![uid, 0].includes(user)) throw foreignError(path, 'a directory')
  // First the directory: then nobody else can put a link into it any more.
  setMode(path, 0o700)
  for (const file of plainStateFiles(path)) {
    const isForeign = user !== undefined && ![uid, user].includes(lstatSync(file).uid)
    if (isForeign) throw foreignError(path, basename(file))
    setMode(file, 0o600)
  }
  return mode
}

/** Returns the error of something that another user can still read and change when its mode is set. */
function foreignError(path: string, what: string): CrawlerError {
  const message = `${path}: expected ${what} of your own, got one of another user`
  return new CrawlerError('state', message)
}

/**
 * Checks the crawl's files in a directory before they are read: opening a planted pipe would never
 * end.
 * @returns their paths
 * @throws CrawlerError('state') as `makePrivate`
 */
export function plainStateFiles(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true })
  const files = entries.filter(({ name }) => STATE_FILES.test(name))
  for (const entry of files) checkPlain(path, entry)
  return files.map(({ name }) => join(path, name))
}

/** Writes a small file that only its owner can read, replacing anything of that name. */
export function writePrivateFile(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
}

/** Returns whether the path is a regular file, not a link, pipe or the like. */
export function isFileNotLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function checkPlain(path: string, entry: Dirent): void {
  if (!entry.isFile()) {
    const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'something else'
    throw new CrawlerError('state', `${path}: expected ${entry.name} to be a file, got ${kind}`)
  }
  if (entry.name.endsWith('-journal') && namesOtherJournal(join(path, entry.name))) {
    const message = `${path}: expected ${entry.name} to be of its database alone, got one of several`
    throw new CrawlerError('state', message)
  }
}

/**
 * Returns whether a journal ends like one of a transaction over several databases, which a crawl
 * never has. It names a file, and SQLite deletes the file that a journal names
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

/** Changes the mode. Some file systems have no modes: there it is up to whoever mounts them. */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EPERM' && code !== 'ENOTSUP') throw error
  }
}
