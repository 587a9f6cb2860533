import {
  chmodSync,
  type Dirent,
  lstatSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../errors.ts'

/** Names of all that a crawl puts into its directory; SQLite adds endings of its own. */
const OURS = /^(?:crawl|lock|seen)\.sqlite(?:-|$)|^seen-\d\.snapshot(?:\.|$)|^pid$/

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
  protect(join(path, entry.name), 0o600)
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
