import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.ts'
import type { IncomingFile, IncomingFolder } from '../records/incoming-file.ts'
import { untilFilesAreFree } from '../runtime/out-of-files.ts'

/** Writes the files of one thread into a folder. The main thread chooses their final names later. */
export class IncomingFiles {
  readonly #folder: IncomingFolder
  readonly #owner: number
  #count = 0

  /** @param owner number of the thread, never reused */
  constructor(folder: IncomingFolder, owner: number) {
    this.#folder = folder
    this.#owner = owner
  }

  async write(content: Uint8Array | string): Promise<IncomingFile> {
    const file = join(this.#folder.path, `${this.#owner}-${++this.#count}`)
    try {
      // The flag `wx` never writes into an existing file, nor through a link.
      const options = { flag: 'wx', flush: this.#folder.isDurable }
      await untilFilesAreFree(() => writeFile(file, content, options))
      return { file }
    } catch (error) {
      return { failure: messageOf(error) }
    }
  }
}
