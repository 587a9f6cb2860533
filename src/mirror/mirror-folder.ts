import { constants, lstatSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CrawlerError, codeOf, messageOf } from '../errors.ts'
import { type FolderOptions, OutputFolder, removedFolder } from '../saved-files/output-folder.ts'

/** Folder of files with links, as received. At the end, their links are rewritten from there. */
const ORIGINALS = '.originals'
/** Windows has neither flag. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** The folder of a mirror, with an internal folder for files whose links are to be rewritten. */
export class MirrorFolder {
  readonly #folder: OutputFolder
  readonly #isDurable: boolean

  private constructor(folder: OutputFolder, isDurable: boolean) {
    this.#folder = folder
    this.#isDurable = isDurable
  }

  /**
   * Opens the folder, creating it if there is none.
   * @throws CrawlerError('usage') if it is not empty, 'output' if it can't be created or written to
   */
  static open(name: string, options: Omit<FolderOptions, 'internal'>): MirrorFolder {
    const internal = { name: ORIGINALS, content: 'pages of an unfinished mirror' }
    return new MirrorFolder(OutputFolder.open(name, { ...options, internal }), options.isDurable)
  }

  get name(): string {
    return this.#folder.name
  }

  /** Folder where workers put bodies. */
  get incoming(): string {
    return this.#folder.incoming
  }

  /** Moves a body to its name, replacing an existing file. */
  place(body: string, file: string): void {
    this.#folder.place(body, file)
  }

  /** Moves a body with links to the originals, until its links are rewritten. */
  placeOriginal(body: string, file: string): void {
    this.#folder.place(body, `${ORIGINALS}/${file}`)
  }

  /** Reads a body stored by `placeOriginal`. */
  readOriginal(file: string): Promise<Buffer> {
    return this.#folder.use(`${ORIGINALS}/${file}`, async (path, name) => {
      try {
        return await readPlainFile(path)
      } catch (error) {
        throw unreadable(name, error)
      }
    })
  }

  /** Writes a file atomically, replacing an existing one. */
  async write(file: string, content: Buffer): Promise<void> {
    const draft = join(this.incoming, 'made')
    await writeFile(draft, content, { flag: 'wx', flush: this.#isDurable })
    this.place(draft, file)
  }

  sync(): Promise<void> {
    return this.#folder.sync()
  }

  /** @param originals what happens to the originals, which a resumed crawl needs */
  close(originals: 'keep' | 'remove'): void {
    this.#folder.close(originals)
  }

  /** Removes everything that `open` created. Nothing may have been written yet. */
  undoOpen(): void {
    this.#folder.undoOpen()
  }
}

/**
 * @throws CrawlerError('state') if the folder of a mirror, or its folder of originals, was removed
 */
export function checkOriginals(name: string): void {
  const missing = [name, join(name, ORIGINALS)].find(
    (folder) => lstatSync(folder, { throwIfNoEntry: false }) === undefined,
  )
  if (missing !== undefined) throw removedFolder(missing, 'pages')
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
