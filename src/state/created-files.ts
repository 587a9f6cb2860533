import { appendFileSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { identityOf } from './file-identities.ts'

/** Name of the file in the directory. */
const CREATED_NAME = 'created'

/**
 * Identities of the output files that the crawl created, stored right after each creation. A crawl that is killed
 * before its first commit leaves empty files, and its next run continues with these. Other empty files may be new
 * files of another crawl.
 */
export class CreatedFiles {
  readonly #file: string

  constructor(directory: string) {
    this.#file = join(directory, CREATED_NAME)
  }

  /** Stores the name of a missing file that is about to be created, in case the crawl is killed before `add`. */
  announce(name: string): void {
    if (identityOf(name) === undefined) this.#append(announcementOf(name))
  }

  add(name: string): void {
    this.#append(identityOf(name))
  }

  has(name: string): boolean {
    const identity = identityOf(name)
    const lines = this.#lines
    // The identity of a file follows its announcement.
    const isAnnounced = lines.at(-1) === announcementOf(name)
    return identity !== undefined && (isAnnounced || lines.includes(identity))
  }

  #append(line: string | undefined): void {
    appendFileSync(this.#file, `${line}\n`, { mode: 0o600 })
  }

  get #lines(): readonly string[] {
    try {
      return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)
    } catch {
      return [] // none was created yet
    }
  }
}

function announcementOf(name: string): string {
  return JSON.stringify(resolve(name))
}
