import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the file in the directory of a state. */
const FILE = 'commits'
/** Differs after each start of the system; only Linux tells it. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const DIGITS = 16
const { O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants

/**
 * The number of commits, kept outside of the database. A commit lies in the write-ahead log at first, and SQLite
 * takes a log that is missing for an empty one, and a damaged one for a shorter one: the database would be older than
 * it was, and nobody would know. Only a power cut may take commits away, so the number counts until the system
 * starts anew.
 */
export class CommitCount {
  readonly #file: string
  #descriptor: number | undefined

  constructor(directory: string) {
    this.#file = join(directory, FILE)
  }

  /** To be called after each commit. */
  put(commits: number): void {
    this.#descriptor ??= openSync(this.#file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    writeSync(this.#descriptor, `${String(commits).padStart(DIGITS, '0')} ${bootId()}\n`, 0)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** Returns how many commits the database in a directory has at least; 0 where that is not known. */
export function countedCommits(directory: string): number {
  const [commits = '', boot = ''] = textOf(join(directory, FILE)).trim().split(' ')
  return boot !== '' && boot === bootId() ? Number.parseInt(commits, 10) || 0 : 0
}

/** Empty where the system doesn't tell. */
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
