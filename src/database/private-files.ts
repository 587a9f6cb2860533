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
import { join } from 'node:path'
import { CrawlerError } from '../errors.ts'

/** Names of all that a crawl puts into its directory; SQLite adds endings of its own. */
const OURS = /^(?:crawl|lock|seen)\.sqlite(?:-|$)|^seen-\d\.snapshot(?:\.|$)|^(?:commits|pid)$/

/** What SQLite writes at the begin of a journal, and at the end of one that names another. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex')

/**
 * Makes a directory and the files of a crawl in it readable by their owner only: they hold cookies, and all URLs.
 * @returns the mode that the directory had
 * @throws CrawlerError('state') when it belongs to somebody else, or something else has the name of a file: a
 * stranger may have put a link there, and nothing is to be written through it
 */
export function makePrivate(path: string): number {
  const { mode, uid } = statSync(path)
  if (process.geteuid !== undefined && ![uid, 0].includes(process.geteuid())) {
    const message = `${path}: expected a directory of your own, got one of another user`
    throw new CrawlerError('state', message)
  }
  protect(path, 0o700)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (OURS.test(entry.name)) protectFile(path, entry)
  }
  return mode
}

/** Writes a small file that only its owner reads, in the place of what has its name. */
export function writePrivately(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
}

/** Whether there is a file, and no link, pipe or the like. */
export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function protectFile(path: string, entry: Dirent): void {
  if (!entry.isFile()) {
    const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'something else'
    throw new CrawlerError('state', `${path}: expected ${entry.name} to be a file, got ${kind}`)
  }
  const file = join(path, entry.name)
  if (entry.name.endsWith('-journal') && namesOtherJournal(file)) {
    const message = `${path}: expected ${entry.name} to be of its database alone, got one of several`
    throw new CrawlerError('state', message)
  }
  protect(file, 0o600)
}

/**
 * Whether a journal ends as that of a transaction over several databases, which these never have. It names a file,
 * and SQLite removes the file that a journal names (sqlite.org/fileformat2.html#the_super_journal_file).
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

/** Some file systems have no modes: there it is up to whoever mounts them. */
function protect(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EPERM' && code !== 'ENOTSUP') throw error
  }
}
