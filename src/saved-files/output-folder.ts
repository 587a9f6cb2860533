import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../database/make-directory.ts'
import { CrawlerError, codeOf } from '../errors.ts'
import { outputError } from '../output/output-error.ts'
import { syncFolder } from '../output/sync-folder.ts'
import { SymlinkFreeFolder } from './symlink-free-folder.ts'

/** Folder of files that other threads have written and that have no name yet. */
const INCOMING = '.incoming'
/** Maximum number of folders in the cache of existing folders. */
const MAX_CACHED_FOLDERS = 10_000
/** Maximum number of folders that are made durable at the same time. */
const MAX_SYNCS = 8

/** An internal folder besides that of incoming files. */
export interface InternalFolder {
  readonly name: string
  /** Its files in the message about an unfinished crawl, such as `pages of an unfinished mirror`. */
  readonly content: string
}

interface FolderOptions {
  /** True if other files may be in the folder. */
  readonly mayExist: boolean
  /** True if written files have to survive a power cut. */
  readonly isDurable: boolean
  readonly internal?: InternalFolder
}

/**
 * A folder in which each file gets its name after another thread has written it. Nothing is written through symbolic
 * links: the crawl makes none, so others put them there.
 */
export class OutputFolder {
  readonly name: string
  readonly #root: SymlinkFreeFolder
  readonly #incoming: SymlinkFreeFolder
  readonly #internal: string | undefined
  /** True if the folder did not exist before. */
  readonly #isNew: boolean
  /** True if written files have to survive a power cut. */
  readonly #isDurable: boolean
  #isClosed = false
  readonly #existing = new Set<string>()
  /** Folders whose entries a power cut may still lose. */
  readonly #unsynced = new Set<string>()

  private constructor(root: SymlinkFreeFolder, isNew: boolean, options: FolderOptions) {
    this.name = root.name
    this.#root = root
    this.#isNew = isNew
    this.#isDurable = options.isDurable
    this.#internal = options.internal?.name
    if (this.#internal !== undefined) root.enter(this.#internal).close()
    // Removes files of a killed crawl, which are useless, and anything that others put there.
    rmSync(root.pathTo(INCOMING), { recursive: true, force: true })
    mkdirSync(root.pathTo(INCOMING), { mode: 0o700 })
    this.#incoming = root.enter(INCOMING)
  }

  /**
   * Opens the folder, creating it if there is none.
   * @throws CrawlerError('usage') if it is not empty, 'output' if it can't be created or written to
   */
  static open(name: string, options: FolderOptions): OutputFolder {
    try {
      const isNew = makeDirectory(name) !== undefined
      if (!options.mayExist) checkEmpty(name, options.internal)
      return new OutputFolder(SymlinkFreeFolder.open(name), isNew, options)
    } catch (error) {
      if (error instanceof CrawlerError) throw error
      if (!['EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw outputError(name, error)
      throw new CrawlerError('output', `${name}: expected a folder, got a file`)
    }
  }

  /** Folder into which other threads write files. */
  get incoming(): string {
    return this.#incoming.path
  }

  /**
   * Moves an incoming file to its name, replacing an existing file.
   * @param file relative to the folder, with `/` between segments
   */
  place(incoming: string, file: string): void {
    const { folder, path } = this.#enter(file)
    try {
      renameSync(incoming, path)
    } catch (error) {
      // The system's message would name a descriptor instead of the file.
      throw outputError(nameIn(folder, file), codeOf(error) || error)
    } finally {
      this.#leave(folder)
    }
  }

  /** Writes a file completely or not at all, replacing an existing one. */
  async write(file: string, content: Buffer): Promise<void> {
    const draft = join(this.incoming, 'made')
    await writeFile(draft, content, { flag: 'wx', flush: this.#isDurable })
    this.place(draft, file)
  }

  /**
   * Opens the folder of a file during an action.
   * @param act gets a path of the file for system calls, and its absolute name for messages
   */
  async use<T>(file: string, act: (path: string, name: string) => Promise<T>): Promise<T> {
    const { folder, path } = this.#enter(file)
    try {
      return await act(path, nameIn(folder, file))
    } finally {
      this.#leave(folder)
    }
  }

  /** Makes the names of all files durable. */
  async sync(): Promise<void> {
    const folders = [...this.#unsynced].values()
    // A job saves files during a sync: their folders are for the next one.
    this.#unsynced.clear()
    const syncRest = async () => {
      for (const folder of folders) await syncFolder(folder)
    }
    // All folders of a large site at once could be more than the system lets the process open.
    await Promise.all(Array.from({ length: MAX_SYNCS }, syncRest))
  }

  /** @param internal what happens to the internal folder, if there is one; a resumed crawl needs it */
  close(internal: 'keep' | 'remove'): void {
    const isRemoved = internal === 'remove' && this.#internal !== undefined
    const removed = isRemoved ? [this.#internal, INCOMING] : [INCOMING]
    for (const name of removed) rmSync(this.#root.pathTo(name), { recursive: true, force: true })
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
    if (this.#internal !== undefined) removeIfEmpty(this.name, this.#internal)
    if (this.#isNew) rmdirSync(this.name)
  }

  /** Opens the folder of a file. */
  #enter(file: string) {
    const folders = file.split('/')
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

/** Returns the error for a folder, or a folder in it, that was removed since the crawl saved files to it. */
export function removedFolder(name: string, files: string): CrawlerError {
  const message = `${name}: expected the ${files} that the crawl had saved, got none: move the folder back, or continue with another one and --force`
  return new CrawlerError('state', message)
}

/** Returns the absolute name of a file in the folder that contains it. */
function nameIn(folder: SymlinkFreeFolder, file: string): string {
  return join(folder.name, file.split('/').at(-1) ?? '')
}

/** @throws CrawlerError('usage') if a folder contains files, or those of an unfinished crawl */
function checkEmpty(name: string, internal: InternalFolder | undefined): void {
  const names = readdirSync(name)
  const isForeign = names.some((file) => file !== INCOMING && file !== internal?.name)
  const unfinished = names.find((file) => file === internal?.name)
  const isUnfinished = unfinished !== undefined && readdirSync(join(name, unfinished)).length > 0
  if (!isForeign && !isUnfinished) return
  const found = isForeign ? '' : `, got ${internal?.content} in ${unfinished}`
  const message = `${name}: expected an empty folder${found}; --overwrite writes into this one`
  throw new CrawlerError('usage', message)
}

/** Removes a folder in another one if it exists and is empty. */
function removeIfEmpty(outer: string, name: string): void {
  const root = SymlinkFreeFolder.open(outer)
  const folder = root.pathTo(name)
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
  root.close()
}
