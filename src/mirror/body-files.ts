import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.ts'
import type { Answer } from '../fetch/answer.ts'
import type { BodyFile, BodyFolder } from '../records/delivery.ts'
import { untilFilesAreFree } from '../runtime/open-files.ts'

/** Writes bodies to files of their own, whose names the main thread then decides on. */
export class BodyFiles {
  readonly #folder: BodyFolder
  readonly #owner: number
  #count = 0

  /** @param owner number of the thread, never used again */
  constructor(folder: BodyFolder, owner: number) {
    this.#folder = folder
    this.#owner = owner
  }

  /** Undefined where there is nothing to be kept: what was cut off is of no use. */
  async keep({ status, body, truncated }: Answer): Promise<BodyFile | undefined> {
    if (status !== 200 || truncated) return undefined
    const file = join(this.#folder.path, `${this.#owner}-${++this.#count}`)
    try {
      // In no file that is there, and through no link.
      const options = { flag: 'wx', flush: this.#folder.isKept }
      await untilFilesAreFree(() => writeFile(file, body ?? '', options))
      return { file }
    } catch (error) {
      return { failure: messageOf(error) }
    }
  }
}
