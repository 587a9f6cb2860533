import { constants, lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { CrawlerError, codeOf, messageOf } from '../errors.ts'
import {
  type InternalFolder,
  type OutputFolder,
  removedFolder,
} from '../saved-files/output-folder.ts'

/** The folder of originals in the folder of a mirror. */
export const ORIGINALS: InternalFolder = {
  name: '.originals',
  content: 'pages of an unfinished mirror',
}
/** Windows has neither flag. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** The bodies with links, as received. At the end, each is read, and written to its file with other links. */
export class Originals {
  readonly #folder: OutputFolder

  /** @param folder of the mirror, opened with the internal folder `ORIGINALS` */
  constructor(folder: OutputFolder) {
    this.#folder = folder
  }

  /** Moves a body to the originals, until its links are rewritten. */
  place(body: string, file: string): void {
    this.#folder.place(body, originalOf(file))
  }

  /** @throws CrawlerError('output') if the original can't be read */
  read(file: string): Promise<Buffer> {
    return this.#folder.use(originalOf(file), async (path, name) => {
      try {
        return await readPlainFile(path)
      } catch (error) {
        throw unreadable(name, error)
      }
    })
  }
}

/**
 * @throws CrawlerError('state') if the folder of a mirror, or its folder of originals, was removed
 */
export function checkOriginals(name: string): void {
  const missing = [name, join(name, ORIGINALS.name)].find(
    (folder) => lstatSync(folder, { throwIfNoEntry: false }) === undefined,
  )
  if (missing !== undefined) throw removedFolder(missing, 'pages')
}

function originalOf(file: string): string {
  return `${ORIGINALS.name}/${file}`
}

/**
 * Returns the error for a page whose links can't be rewritten. The system's message would name a
 * descriptor instead of the file.
 */
function unreadable(file: string, error: unknown): CrawlerError {
  const reason = codeOf(error) === 'ENOENT' ? 'it was removed' : codeOf(error)
  const message = `${file}: expected the page that the crawl saved, which can't be read: ${reason || messageOf(error)}; restore it, or continue with another folder and --force`
  return new CrawlerError('output', message, { cause: error })
}

/** Reads a regular file. `O_NONBLOCK` keeps it from waiting forever for a pipe without a writer. */
async function readPlainFile(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if ((await handle.stat()).isFile()) return await handle.readFile()
    throw new Error('it is not a regular file')
  } finally {
    await handle.close()
  }
}
