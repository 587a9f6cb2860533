import type { Output, OutputEvents } from '../output/output.ts'
import { asOutputError } from '../output/output-error.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import type { BodyFolder } from '../records/incoming-file.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import { OutputFolder } from '../saved-files/output-folder.ts'
import { SavedFiles } from '../saved-files/saved-files.ts'
import type { Positions } from '../state/ledger.ts'
import { checkOriginals, ORIGINALS, Originals } from './originals.ts'
import { hasLinks, rewriteForOffline } from './rewrite-links.ts'

interface MirrorOptions {
  /** URLs of possible start pages, in order of preference. */
  readonly seeds: readonly string[]
  /** Returns the URL with which `--canonicalize` merges a URL. */
  readonly merged: (url: string) => string
  /** Extensions of the files to save, in lower case; undefined for all files. */
  readonly extensions: readonly string[] | undefined
}

/** Saves bodies as files in a folder, with links from file to file. */
export class MirrorOutput implements Output {
  readonly congested = false
  /** Folder where workers put bodies. */
  readonly bodies: BodyFolder
  readonly #folder: OutputFolder
  readonly #originals: Originals
  readonly #files: SavedFiles
  readonly #merged: MirrorOptions['merged']
  readonly #isKept: boolean
  readonly #seeds: readonly string[]
  #startFile: string | undefined
  #isEmpty = false
  #events: OutputEvents | undefined
  #isSound = true
  #isFinished = false

  private constructor(
    folder: OutputFolder,
    files: SavedFiles,
    opener: OutputOpener,
    { seeds, merged, extensions }: MirrorOptions,
  ) {
    this.#folder = folder
    this.#originals = new Originals(folder)
    this.#seeds = seeds
    this.#files = files
    this.#merged = merged
    this.#isKept = opener.isKept
    this.bodies = { path: folder.incoming, isDurable: opener.isDurable, extensions }
  }

  /**
   * @param name of the folder, created if there is none
   * @throws CrawlerError('usage') if it contains something else, 'output' if it can't be written
   * to, 'state' if originals of an earlier run are missing
   */
  static open(name: string, opener: OutputOpener, options: MirrorOptions): MirrorOutput {
    const files = SavedFiles.open(name, opener)
    if (files.types().some(hasLinks)) checkOriginals(name)
    const { isDurable } = opener
    const mayExist = opener.mayExist(name)
    const folder = OutputFolder.open(name, { mayExist, isDurable, internal: ORIGINALS })
    opener.undoOnDiscard(() => folder.undoOpen())
    return new MirrorOutput(folder, files, opener, options)
  }

  /** The file of the first seed that was saved, relative to the folder; known after `finish`. */
  get startFile(): string | undefined {
    return this.#startFile
  }

  /** True if nothing was saved; known after `finish`. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  open(events: OutputEvents): void {
    this.#events = events
  }

  write(visits: readonly Delivery[]): void {
    for (const visit of visits) {
      if (!this.#isSound) return
      try {
        this.#save(visit)
      } catch (error) {
        this.#isSound = false
        this.#events?.failed(asOutputError(this.#folder.name, error))
      }
    }
  }

  /** Makes the files durable. Their names are in the database, which the crawl commits. */
  async sync(): Promise<Positions> {
    await this.#folder.sync()
    return { [this.#folder.name]: 0 }
  }

  async finish(): Promise<void> {
    try {
      for (const page of this.#files.all()) {
        if (!hasLinks(page.type)) continue
        const body = await this.#originals.read(page.file)
        await this.#folder.write(page.file, rewriteForOffline(page, body, this.#fileOf))
      }
      this.#isEmpty = this.#files.types().length === 0
      this.#startFile = this.#seeds.map(this.#fileOf).find((file) => file !== undefined)
      await this.sync()
    } catch (error) {
      throw asOutputError(this.#folder.name, error)
    }
    this.#isFinished = true
  }

  /**
   * Keeps the originals for a resumed crawl: it rewrites all links again, since more of them lead
   * to files by then.
   */
  async close(): Promise<void> {
    this.#folder.close(this.#isFinished && !this.#isKept ? 'remove' : 'keep')
  }

  readonly #fileOf = (url: string) => this.#files.fileOf(this.#merged(url))

  #save({ record, body }: Delivery): void {
    const { url, contentType = '', rendered, redirectsTo } = record.fields
    // The tree of a rendered page is in UTF-8.
    const charset = rendered ? 'utf-8' : record.fields.charset
    if (redirectsTo !== undefined) this.#files.addRedirect(url, this.#merged(redirectsTo))
    if (body === undefined) return
    if ('failure' in body) throw new Error(body.failure)
    const file = this.#files.assignFile({ url, type: contentType, charset })
    if (hasLinks(contentType)) this.#originals.place(body.file, file)
    else this.#folder.place(body.file, file)
  }
}
