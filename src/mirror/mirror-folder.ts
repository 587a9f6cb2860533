import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from '../database/make-directory.ts'
import { CrawlerError, codeOf, messageOf } from '../errors.ts'
import { outputError } from '../output/stream-output.ts'
import { syncFolder } from '../output/sync-folder.ts'
import { SymlinkFreeFolder } from './symlink-free-folder.ts'

/** Folder of bodies that workers have written and that have no name yet. */
const INCOMING = '.incoming'
/** Folder of files with links, as received. At the end, their links are rewritten from there. */
const ORIGINALS = '.originals'
const OWN_FOLDERS: readonly string[] = [INCOMING, ORIGINALS]
/** Maximum number of folders in the cache of existing folders. */
const MAX_CACHED_FOLDERS = 10_000
/** Maximum number of folders that are made durable at the same time. */
const MAX_SYNCS = 8
/** Windows has neither flag. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

interface FolderOptions {
  /** True if other files may be in the folder. */
  readonly mayExist: boolean
  /** True if written files have to survive a power cut. */
  readonly isDurable: boolean
}

/**
 * The folder of a mirror, which contains two internal folders. Nothing is written through symbolic
 * links: the crawl makes none, so others put them there.
 */
export class MirrorFolder {
  readonly name: string
  readonly #root: SymlinkFreeFolder
  readonly #incoming: SymlinkFreeFolder
  /** True if the folder did not exist before. */
  readonly #isNew: boolean
  /** True if written files have to survive a power cut. */
  readonly #isDurable: boolean
  #isClosed = false
  readonly #existing = new Set<string>()
  /** Folders whose entries a power cut may still lose. */
  readonly #unsynced = new Set<string>()

  private constructor(root: SymlinkFreeFolder, isNew: boolean, isDurable: boolean) {
    this.name = root.name
    this.#root = root
    this.#isNew = isNew
    this.#isDurable = isDurable
    root.enter(ORIGINALS).close()
    // Removes files of a killed crawl, which are useless, and anything that others put there.
    rmSync(root.pathTo(INCOMING), { recursive: true, force: true })
    mkdirSync(root.pathTo(INCOMING), { mode: 0o700 })
    this.#incoming = root.enter(INCOMING)
  }

  /**
   * Opens the folder, creating it if there is none.
   * @throws CrawlerError('usage') if it is not empty, 'output' if it can't be created or written to
   */
  static open(name: string, { mayExist, isDurable }: FolderOptions): MirrorFolder {
    try {
      const isNew = makeDirectory(name) !== undefined
      if (!mayExist) checkEmpty(name)
      return new MirrorFolder(SymlinkFreeFolder.open(name), isNew, isDurable)
    } catch (error) {
      if (error instanceof CrawlerError) throw error
      if (!['EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw outputError(name, error)
      throw new CrawlerError('output', `${name}: expected a folder, got a file`)
    }
  }

  /** Folder where workers put bodies. */
  get incoming(): string {
    return this.#incoming.path
  }

  /** Moves a body to its name, replacing an existing file. */
  place(body: string, file: string): void {
    this.#rename(body, file.split('/'))
  }

  /** Moves a body with links to the originals, until its links are rewritten. */
  placeOriginal(body: string, file: string): void {
    this.#rename(body, [ORIGINALS, ...file.split('/')])
  }

  /** Reads a body stored by `placeOriginal`. */
  async readOriginal(file: string): Promise<Buffer> {
    const { folder, path } = this.#enter([ORIGINALS, ...file.split('/')])
    try {
      return await readPlainFile(path)
    } catch (error) {
      throw unreadable(join(folder.name, basename(path)), error)
    } finally {
      this.#leave(folder)
    }
  }

  /** Writes a file atomically, replacing an existing one. */
  async write(file: string, content: Buffer): Promise<void> {
    const draft = this.#incoming.pathTo('made')
    await writeFile(draft, content, { flag: 'wx', flush: this.#isDurable })
    this.place(draft, file)
  }

  async sync(): Promise<void> {
    const folders = [...this.#unsynced].values()
    // A job saves pages during a sync: their folders are for the next one.
    this.#unsynced.clear()
    const syncRest = async () => {
      for (const folder of folders) await syncFolder(folder)
    }
    // All folders of a large mirror at once could be more than the system lets the process open.
    await Promise.all(Array.from({ length: MAX_SYNCS }, syncRest))
  }

  /** @param originals what happens to the originals, which a resumed crawl needs */
  close(originals: 'keep' | 'remove'): void {
    for (const name of originals === 'remove' ? OWN_FOLDERS : [INCOMING]) {
      rmSync(this.#root.pathTo(name), { recursive: true, force: true })
    }
    this.#incoming.close()
    this.#root.close()
    this.#isClosed = true
  }

  /**
   * Removes everything that `open` created. Nothing may have been written yet. The folder may be
   * closed already.
   */
  undoOpen(): void {
    if (!this.#isClosed) this.close('keep')
    const root = SymlinkFreeFolder.open(this.name)
    const originals = root.pathTo(ORIGINALS)
    // They are gone if the folder was closed as done.
    if (existsSync(originals) && readdirSync(originals).length === 0) rmdirSync(originals)
    root.close()
    if (this.#isNew) rmdirSync(this.name)
  }

  #rename(body: string, parts: readonly string[]): void {
    const { folder, path } = this.#enter(parts)
    try {
      renameSync(body, path)
    } catch (error) {
      // The system's message would name a descriptor instead of the file.
      throw outputError(join(folder.name, parts.at(-1) ?? ''), codeOf(error) || error)
    } finally {
      this.#leave(folder)
    }
  }

  /** Opens the folder of a file. */
  #enter([...folders]: readonly string[]) {
    const name = folders.pop() ?? ''
    let folder = this.#root
    for (const each of folders) {
      const outer = folder
      try {
        folder = outer.enter(each)
      } finally {
        this.#leave(outer)
      }
    }
    if (this.#isDurable) this.#noteUnsynced(folder.name)
    return { folder, path: folder.pathTo(name) }
  }

  #leave(folder: SymlinkFreeFolder): void {
    if (folder !== this.#root) folder.close()
  }

  /**
   * Notes the folders to sync. Folders above the file's folder change only when a folder is created
   * in them.
   */
  #noteUnsynced(folder: string): void {
    this.#unsynced.add(folder)
    if (this.#existing.has(folder)) return
    if (this.#existing.size >= MAX_CACHED_FOLDERS) this.#existing.clear()
    this.#existing.add(folder)
    for (const each of foldersAbove(folder, this.name)) this.#unsynced.add(each)
  }
}

/** Yields the folders that contain a folder, up to `root`, which contains it or is it. */
export function* foldersAbove(folder: string, root: string): Generator<string> {
  // At the root of a file system, `dirname` returns its argument.
  for (let each = folder; each !== root; ) {
    each = dirname(each)
    yield each
  }
}

/**
 * @throws CrawlerError('state') if the folder of a mirror, or its folder of originals, was removed
 */
export function checkOriginals(name: string): void {
  const missing = [name, join(name, ORIGINALS)].find(
    (folder) => lstatSync(folder, { throwIfNoEntry: false }) === undefined,
  )
  if (missing === undefined) return
  const message = `${missing}: expected the pages that the crawl had saved, got none: move the folder back, or continue with another one and --force`
  throw new CrawlerError('state', message)
}

/**
 * @throws CrawlerError('usage') if a folder contains files, or the originals of an unfinished
 * mirror
 */
function checkEmpty(name: string): void {
  const names = readdirSync(name)
  const isForeign = names.some((file) => !OWN_FOLDERS.includes(file))
  const isUnfinished = names.includes(ORIGINALS) && readdirSync(join(name, ORIGINALS)).length > 0
  if (!isForeign && !isUnfinished) return
  const found = isForeign ? '' : `, got pages of an unfinished mirror in ${ORIGINALS}`
  const message = `${name}: expected an empty folder${found}; --overwrite writes into this one`
  throw new CrawlerError('usage', message)
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
