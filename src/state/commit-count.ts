import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'commits'
/** Changes at each boot; only Linux provides it. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const DIGITS = 16
const { O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants

/**
 * The number of commits, stored outside of the database. A commit lies in the write-ahead log at
 * first. SQLite takes a missing log for an empty one, and a damaged log for a shorter one: the
 * database would silently be older. Only a power cut may lose commits, so the number counts until
 * the next boot.
 */
export class CommitCount {
  readonly #file: string
  #descriptor: number | undefined

  constructor(directory: string) {
    this.#file = join(directory, FILE)
  }

  /** Must be called after each commit. */
  write(commits: number): void {
    this.#descriptor ??= openSync(this.#file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    writeSync(this.#descriptor, `${String(commits).padStart(DIGITS, '0')} ${bootId()}\n`, 0)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** Returns the minimum number of commits in the database of a directory; 0 where it is unknown. */
export function readCommitCount(directory: string): number {
  const [commits = '', boot = ''] = textOf(join(directory, FILE)).trim().split(' ')
  return boot !== '' && boot === bootId() ? Number.parseInt(commits, 10) || 0 : 0
}

/** Returns '' where the system has no boot id. */
function bootId(): string {
  return textOf(BOOT_ID).trim()
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
