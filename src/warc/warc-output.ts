import { resolve } from 'node:path'
import type { FileOutput } from '../output/file-output.ts'
import type { Output, OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { writeTexts } from '../output/write-texts.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { EarlierBodies } from './earlier-bodies.ts'

const EXTENSION = /\.warc\.gz$/i

/** An archive (WARC 1.1) in one or several files, and its index, which is written at the end. */
export class WarcOutput implements Output {
  readonly #name: string
  readonly #archive: ArchiveWriter
  readonly #index: FileOutput
  readonly #earlier: EarlierBodies | undefined
  #events: OutputEvents | undefined

  private constructor(
    name: string,
    archive: ArchiveWriter,
    index: FileOutput,
    earlier: EarlierBodies | undefined,
  ) {
    this.#name = name
    this.#archive = archive
    this.#index = index
    this.#earlier = earlier
  }

  /** @throws CrawlerError */
  static async open(name: string, opener: OutputOpener): Promise<WarcOutput> {
    const { splitWarc: maxBytes, warcDedup } = opener.context
    const earlier = warcDedup.length > 0 ? await EarlierBodies.read(warcDedup) : undefined
    if (earlier !== undefined) opener.undoOnDiscard(() => earlier.close())
    const archive = await ArchiveWriter.open(name, opener, { format: 'warc', maxBytes, earlier })
    const index = await opener.openFile(indexOf(name), { isNamedByUser: false })
    // The archive of that index would be replaced, too.
    for (const each of warcDedup) opener.refuseOpened(each)
    return new WarcOutput(name, archive, index, earlier)
  }

  get congested(): boolean {
    return this.#archive.congested
  }

  open(events: OutputEvents): void {
    this.#events = events
    this.#archive.open(events)
  }

  write(visits: readonly Delivery[]): void {
    this.#archive.write(visits)
  }

  /** Makes the archive durable. The index has position 0, since a resumed run writes it again. */
  async sync(): Promise<Positions> {
    return { ...(await this.#archive.sync()), [resolve(indexOf(this.#name))]: 0 }
  }

  async finish(): Promise<void> {
    await this.#archive.finish()
    const lines = this.#archive.captures.indexLines((start) => this.#archive.placeOf(start))
    // The index is opened only now, so that the index of an earlier run stays until then.
    if (this.#events !== undefined) await writeTexts(this.#index, lines, this.#events)
    await this.#index.sync()
  }

  async close(): Promise<void> {
    await Promise.all([this.#archive.close(), this.#index.close()])
    this.#earlier?.close()
  }
}

/** Returns the name of the index: `site.cdxj` for `site.warc.gz`. */
function indexOf(name: string): string {
  return `${name.replace(EXTENSION, '')}.cdxj`
}
