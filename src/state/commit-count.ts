import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the file in the directory. */
export const COUNT_NAME = 'commits'
/** Changes at each boot; only Linux provides it. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const DIGITS = 16
const LINE = /^(\d{16}) (\S+)\n$/
/** Longer than the file. */
const MAX_BYTES = 100
const { O_CREAT, O_RDONLY, O_RDWR, O_NOFOLLOW = 0 } = constants

/** A number of commits, and the boot of the system until whose end it counts. */
export interface CountedCommits {
  readonly commits: number
  readonly boot: string
}

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
    this.#file = join(directory, COUNT_NAME)
  }

  /**
   * Must be called after each commit, and before the first one of a run: a database that names this
   * boot has a count of this boot.
   */
  write(commits: number): void {
    this.#descriptor ??= openSync(this.#file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    writeSync(this.#descriptor, `${String(commits).padStart(DIGITS, '0')} ${bootId()}\n`, 0)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** Returns the least number of commits in the database of a directory; undefined if the file is missing or damaged. */
export function readCommitCount(directory: string): CountedCommits | undefined {
  const [, commits, boot] = LINE.exec(textOf(join(directory, COUNT_NAME))) ?? []
  if (commits === undefined || boot === undefined) return undefined
  return { commits: Number(commits), boot }
}

/** Returns '' where the system has no boot id. */
export function bootId(): string {
  return textOf(BOOT_ID).trim()
}

/** Returns the start of a file: it may be a stranger's, of any length. */
function textOf(file: string): string {
  const start = Buffer.alloc(MAX_BYTES)
  try {
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW)
    try {
      return start.toString('latin1', 0, readSync(descriptor, start))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
