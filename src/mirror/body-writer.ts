import type { FetchResponse } from '../fetch/fetcher.ts'
import type { BodyFolder, IncomingFile } from '../records/incoming-file.ts'
import { hasExtension } from '../saved-files/file-name.ts'
import { IncomingFiles } from '../saved-files/incoming-files.ts'

/** Writes bodies to files, in the thread that fetched them. */
export class BodyWriter {
  readonly #files: IncomingFiles
  /** Returns whether the body of a URL is saved if it has this type. */
  readonly isWanted: (url: string, type: string) => boolean

  /** @param owner number of the thread, never reused */
  constructor(folder: BodyFolder, owner: number) {
    this.#files = new IncomingFiles(folder, owner)
    this.isWanted = folder.extensions === undefined ? () => true : hasExtension(folder.extensions)
  }

  /**
   * Writes the body of a response to a file. Resolves with undefined if nothing is saved: the status
   * isn't 200, the body is truncated, or its file would have another extension than the wanted ones.
   */
  async write(url: string, response: FetchResponse): Promise<IncomingFile | undefined> {
    const { status, body, contentType, truncated } = response
    if (status !== 200 || truncated || !this.isWanted(url, contentType?.type ?? ''))
      return undefined
    return this.#files.write(body ?? '')
  }
}
