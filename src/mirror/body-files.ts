import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.ts'
import type { FetchResponse } from '../fetch/fetcher.ts'
import type { BodyFile, BodyFolder, IncomingFolder } from '../records/visit-attachments.ts'
import { untilFilesAreFree } from '../runtime/out-of-files.ts'
import { hasExtension } from './file-name.ts'

/** Writes each body to a file; the main thread chooses its final name later. */
export class BodyFiles {
  readonly #folder: BodyFolder
  readonly #owner: number
  /** Returns whether the body of a URL is saved if it has this type. */
  readonly isWanted: (url: string, type: string) => boolean
  #count = 0

  /** @param owner number of the thread, never reused */
  constructor(folder: BodyFolder, owner: number) {
    this.#folder = folder
    this.#owner = owner
    this.isWanted = folder.extensions === undefined ? () => true : hasExtension(folder.extensions)
  }

  /**
   * Writes the body of a response to a file. Returns undefined if nothing is saved: the status
   * isn't 200, the body is truncated, or its file would have another extension than the wanted ones.
   */
  async keep(url: string, response: FetchResponse): Promise<BodyFile | undefined> {
    const { status, body, contentType, truncated } = response
    if (status !== 200 || truncated || !this.isWanted(url, contentType?.type ?? ''))
      return undefined
    return writeIncoming(this.#folder, `${this.#owner}-${++this.#count}`, body ?? '')
  }
}

/** Writes a file that gets its final name later. */
export async function writeIncoming(
  { path, isDurable }: IncomingFolder,
  name: string,
  content: Uint8Array | string,
): Promise<BodyFile> {
  const file = join(path, name)
  try {
    // The flag `wx` never writes into an existing file, nor through a link.
    const options = { flag: 'wx', flush: isDurable }
    await untilFilesAreFree(() => writeFile(file, content, options))
    return { file }
  } catch (error) {
    return { failure: messageOf(error) }
  }
}
