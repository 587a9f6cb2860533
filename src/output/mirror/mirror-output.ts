import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Positions } from '../../state/ledger.ts'
import type { BodyFolder, Delivery } from '../../wire/delivery.ts'
import type { Visit } from '../../wire/visit.ts'
import type { Output, OutputEvents } from '../output.ts'
import type { Places } from '../places.ts'
import { outputError } from '../stream-output.ts'
import { syncFolder } from '../sync-folder.ts'
import { hasLinks, madeOffline } from './offline.ts'
import { prepareMirror } from './prepare-mirror.ts'
import { SavedFiles } from './saved-files.ts'

/** Bodies that workers wrote, until they have a name. */
const INCOMING = '.incoming'
/** What has links, as it came: the files in its place are made of it at the end. */
const ORIGINALS = '.originals'
/** Folders that are known to be there, at most. */
const MAX_KNOWN = 10_000

/** A canonical URL, by the rules of the crawl. */
type Canonical = (url: string) => string

/** Bodies as files under a folder, with links that lead from file to file. */
export class MirrorOutput implements Output {
  readonly congested = false
  /** Where workers put bodies. */
  readonly bodies: BodyFolder
  readonly #folder: string
  readonly #files: SavedFiles
  readonly #canonical: Canonical
  readonly #isKept: boolean
  readonly #known = new Set<string>()
  /** Folders whose names may still get lost in a power cut. */
  readonly #unsynced = new Set<string>()
  #events: OutputEvents | undefined
  #isSound = true
  #isFinished = false

  private constructor(folder: string, places: Places, canonical: Canonical) {
    this.#folder = resolve(folder)
    this.#files = new SavedFiles(places.database, this.#folder)
    this.#canonical = canonical
    this.#isKept = places.isKept
    this.bodies = { path: join(this.#folder, INCOMING), isKept: places.isKept }
  }

  /**
   * @param folder made when there is none
   * @throws CrawlerError('usage') when something else is in it, 'output' when it can't be written to
   */
  static open(folder: string, places: Places, canonical: Canonical): MirrorOutput {
    const undo = prepareMirror(folder, [INCOMING, ORIGINALS], places.mayStand(folder))
    places.undoOnDiscard(undo)
    return new MirrorOutput(folder, places, canonical)
  }

  open(events: OutputEvents): void {
    this.#events = events
  }

  write(visits: readonly Delivery[]): void {
    for (const visit of visits) {
      if (!this.#isSound) return
      try {
        this.#take(visit)
      } catch (error) {
        this.#isSound = false
        this.#events?.failed(outputError(this.#folder, error))
      }
    }
  }

  /** Where files stand is in the database. */
  async sync(): Promise<Positions> {
    await Promise.all([...this.#unsynced].map(syncFolder))
    this.#unsynced.clear()
    return { [this.#folder]: 0 }
  }

  async finish(): Promise<void> {
    try {
      for (const page of this.#files.all()) {
        if (!hasLinks(page.type)) continue
        const body = await readFile(join(this.#folder, ORIGINALS, page.file))
        const fileOf = (url: string) => this.#files.fileOf(this.#canonical(url))
        const made = join(this.bodies.path, 'made')
        await writeFile(made, madeOffline(page, body, fileOf), { flush: this.#isKept })
        await rename(made, this.#placeFor(page.file))
      }
      await this.sync()
    } catch (error) {
      throw outputError(this.#folder, error)
    }
    this.#isFinished = true
  }

  /** A crawl that goes on makes all links anew, for it has more to lead to. */
  async close(): Promise<void> {
    const isDone = this.#isFinished && !this.#isKept
    for (const name of isDone ? [INCOMING, ORIGINALS] : [INCOMING]) {
      rmSync(join(this.#folder, name), { recursive: true, force: true })
    }
  }

  #take({ record, body }: Delivery): void {
    const { url, contentType = '', charset, redirectsTo }: Visit = JSON.parse(record)
    if (redirectsTo !== undefined) this.#files.redirect(url, redirectsTo)
    if (body === undefined) return
    if ('failure' in body) throw new Error(body.failure)
    const file = this.#files.place({ url, type: contentType, charset })
    const name = hasLinks(contentType) ? join(ORIGINALS, file) : file
    renameSync(body.file, this.#placeFor(name))
  }

  /** Makes the folder that a file is to lie in. */
  #placeFor(file: string): string {
    const path = join(this.#folder, file)
    const folder = dirname(path)
    if (!this.#known.has(folder)) this.#make(folder)
    if (this.#isKept) this.#unsynced.add(folder)
    return path
  }

  /** Folders above that of a file change here only, where one is made: a file alters no name in them. */
  #make(folder: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    mkdirSync(folder, { recursive: true })
    this.#known.add(folder)
    if (!this.#isKept) return
    for (let each = dirname(folder); each.length >= this.#folder.length; each = dirname(each)) {
      this.#unsynced.add(each)
    }
  }
}
