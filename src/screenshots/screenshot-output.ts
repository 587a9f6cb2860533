import { existsSync } from 'node:fs'
import type { Output, OutputEvents } from '../output/output.ts'
import { asOutputError } from '../output/output-error.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import type { IncomingFolder } from '../records/incoming-file.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import { OutputFolder, removedFolder } from '../saved-files/output-folder.ts'
import { SavedFiles } from '../saved-files/saved-files.ts'
import type { Positions } from '../state/ledger.ts'

/** Gives each screenshot its file name, adds that to the record, and passes the record on. */
export class ScreenshotOutput implements Output {
  /** Folder where the render thread puts screenshots. */
  readonly screenshots: IncomingFolder
  readonly #folder: OutputFolder
  readonly #files: SavedFiles
  readonly #visits: Output
  #events: OutputEvents | undefined
  #isSound = true

  private constructor(folder: OutputFolder, files: SavedFiles, visits: Output, isDurable: boolean) {
    this.#folder = folder
    this.#files = files
    this.#visits = visits
    this.screenshots = { path: folder.incoming, isDurable }
  }

  /**
   * @param name of the folder, created if there is none
   * @param visits receives the records
   * @throws CrawlerError('usage') if the folder contains something else, 'output' if it can't be written to, 'state' if
   * it has the screenshots of an earlier run and was removed
   */
  static open(name: string, opener: OutputOpener, visits: Output): ScreenshotOutput {
    const files = SavedFiles.open(name, opener)
    if (files.types().length > 0 && !existsSync(name)) throw removedFolder(name, 'screenshots')
    const { isDurable } = opener
    const folder = OutputFolder.open(name, { mayExist: opener.mayExist(name), isDurable })
    opener.undoOnDiscard(() => folder.undoOpen())
    return new ScreenshotOutput(folder, files, visits, isDurable)
  }

  get congested(): boolean {
    return this.#visits.congested
  }

  open(events: OutputEvents): void {
    this.#events = events
    this.#visits.open(events)
  }

  /** Moves the screenshots to their names before any output gets the records. After a failure, nothing is passed on. */
  write(visits: readonly Delivery[]): void {
    const named = this.#isSound ? this.#nameAll(visits) : undefined
    if (named !== undefined) this.#visits.write(named)
  }

  /** Makes the screenshots durable. Their names are in the database, which the crawl commits. */
  async sync(): Promise<Positions> {
    await this.#folder.sync()
    return { ...(await this.#visits.sync()), [this.#folder.name]: 0 }
  }

  finish(): Promise<void> {
    return this.#visits.finish()
  }

  async close(): Promise<void> {
    try {
      this.#folder.close('remove')
    } finally {
      await this.#visits.close()
    }
  }

  /** Returns undefined after a failure, which it reports. */
  #nameAll(visits: readonly Delivery[]): Delivery[] | undefined {
    try {
      return visits.map((visit) => this.#named(visit))
    } catch (error) {
      this.#isSound = false
      this.#events?.failed(asOutputError(this.#folder.name, error))
      return undefined
    }
  }

  #named(visit: Delivery): Delivery {
    const { record, screenshot } = visit
    if (screenshot === undefined || 'missing' in screenshot) return visit
    if ('failure' in screenshot) throw new Error(screenshot.failure)
    const file = this.#files.assignFile({ url: record.fields.url, type: 'image/png' })
    this.#folder.place(screenshot.file, file)
    return { ...visit, record: record.with({ screenshot: file }) }
  }
}
