import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the file in the directory. */
const COUNT_NAME = 'commits'
/** File with an id that changes at each boot. Only Linux provides it. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const DIGITS = 16
const LINE = /^(\d{16}) (\S+)\n$/
/** Maximum bytes to read, more than the file has. */
const MAX_BYTES = 100
const { O_CREAT, O_RDONLY, O_RDWR, O_NOFOLLOW = 0 } = constants

/** A number of commits, and the id of the boot during which the number is valid. */
interface CountedCommits {
  readonly commits: number
  readonly boot: string
}

/**
 * The number of commits, stored outside of the database. A commit is in the write-ahead log at
 * first. SQLite treats a missing log as empty and reads a damaged log only up to the damage, so the
 * database would silently be older. A power cut is the only event that may lose commits, so the
 * number is valid until the next boot.
 */
export class CommitCount {
  readonly #file: string
  #descriptor: number | undefined

  constructor(directory: string) {
    this.#file = join(directory, COUNT_NAME)
  }

  /**
   * Stores the number of commits. Must be called after each commit, and before the first commit of
   * a run: then a database that names this boot always has a count of this boot.
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

/** Returns the number of commits that a directory's database must have; undefined if its file is missing or damaged. */
export function readCommitCount(directory: string): CountedCommits | undefined {
  const [, commits, boot] = LINE.exec(textOf(join(directory, COUNT_NAME))) ?? []
  if (commits === undefined || boot === undefined) return undefined
  return { commits: Number(commits), boot }
}

/** Returns the id of the system's boot; '' if the system has none. */
export function bootId(): string {
  return textOf(BOOT_ID).trim()
}

/** Returns the start of a file; '' if it can't be read. Somebody else may have put it there, with any length. */
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
