import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.ts'
import type { FetchResponse } from '../fetch/fetcher.ts'
import type { BodyFile, BodyFolder } from '../records/visit-attachments.ts'
import { untilFilesAreFree } from '../runtime/out-of-files.ts'

/** Writes each body to a file; the main thread chooses its final name later. */
export class BodyFiles {
  readonly #folder: BodyFolder
  readonly #owner: number
  #count = 0

  /** @param owner number of the thread, never reused */
  constructor(folder: BodyFolder, owner: number) {
    this.#folder = folder
    this.#owner = owner
  }

  /**
   * Writes the body of a response to a file. Returns undefined if nothing is saved: the status
   * isn't 200, or the body is truncated.
   */
  async keep({ status, body, truncated }: FetchResponse): Promise<BodyFile | undefined> {
    if (status !== 200 || truncated) return undefined
    const file = join(this.#folder.path, `${this.#owner}-${++this.#count}`)
    try {
      // The flag `wx` never writes into an existing file, nor through a link.
      const options = { flag: 'wx', flush: this.#folder.isDurable }
      await untilFilesAreFree(() => writeFile(file, body ?? '', options))
      return { file }
    } catch (error) {
      return { failure: messageOf(error) }
    }
  }
}
