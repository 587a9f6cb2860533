import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

  add(name: string): void {
    appendFileSync(this.#file, `${identityOf(name)}\n`, { mode: 0o600 })
  }

  has(name: string): boolean {
    const identity = identityOf(name)
    return identity !== undefined && this.#identities.includes(identity)
  }

  get #identities(): readonly string[] {
    try {
      return readFileSync(this.#file, 'utf8').split('\n')
    } catch {
      return [] // none was created yet
    }
  }
}
