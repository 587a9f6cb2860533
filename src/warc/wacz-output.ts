import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Output, OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import { VERSION } from '../version.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { ArchivedPages } from './archived-pages.ts'
import { type ZipEntry, ZipWriter, zipHeader } from './zip-writer.ts'

const RECORDS = 'data.warc.gz'
const RECORDS_PATH = `archive/${RECORDS}`
const HEADER = zipHeader(RECORDS_PATH)
/** The first byte of what follows the records, in all ZIP archives. */
const ZIP_MAGIC = 0x50
/** Lines of the index that are compressed together. A reader loads them to find one of them. */
const BLOCK_LINES = 300

/**
 * A web archive with everything that a reader needs to show it (WACZ 1.1.1): a ZIP archive of the records, their
 * index and a list of the pages. The records come first, so that they are written during the crawl; the rest is
 * written at the end.
 */
export class WaczOutput implements Output {
  readonly #name: string
  readonly #archive: ArchiveWriter
  readonly #pages: ArchivedPages
  /** For reading the records at the end; the name of the file may be another then. */
  readonly #reader: FileHandle
  /** Set at the end: the lengths without the rest of the file. */
  #positions: Positions | undefined

  private constructor(
    name: string,
    archive: ArchiveWriter,
    pages: ArchivedPages,
    reader: FileHandle,
  ) {
    this.#name = name
    this.#archive = archive
    this.#pages = pages
    this.#reader = reader
  }

  /** @throws CrawlerError */
  static async open(name: string, opener: OutputOpener): Promise<WaczOutput> {
    const traits = { format: 'wacz', prefix: HEADER, suffixMagic: ZIP_MAGIC } as const
    const archive = await ArchiveWriter.open(name, opener, traits)
    const pages = new ArchivedPages(opener.database, resolve(name))
    const former = opener.formerName(name)
    if (former !== undefined) pages.takeOver(former)
    const reader = await open(name)
    opener.undoOnDiscard(() => reader.close())
    return new WaczOutput(name, archive, pages, reader)
  }

  get congested(): boolean {
    return this.#archive.congested
  }

  open(events: OutputEvents): void {
    this.#archive.open(events)
    if (this.#archive.isEmpty) this.#pages.clear()
  }

  write(visits: readonly Delivery[]): void {
    this.#archive.write(visits)
    this.#pages.add(visits)
  }

  async sync(): Promise<Positions> {
    const positions = await this.#archive.sync()
    return this.#positions ?? positions
  }

  async finish(): Promise<void> {
    await this.#archive.finish()
    this.#positions = await this.#archive.sync()
    const zip = new ZipWriter((bytes) => this.#archive.writeSuffix(bytes))
    await zip.endWritten(RECORDS_PATH, this.#records())
    const places: string[] = []
    const lines = this.#archive.captures.indexLines((offset) => ({ filename: RECORDS, offset }))
    await zip.add('indexes/index.cdx.gz', compressedIndex(lines, places))
    await zip.add('indexes/index.idx', places.map(bytesOf))
    await zip.add('pages/pages.jsonl', bytesOfLines(this.#pages.lines()))
    const description = this.#description(zip.entries)
    await zip.add('datapackage.json', [description])
    const digest = { path: 'datapackage.json', hash: hashOf(description) }
    await zip.add('datapackage-digest.json', [bytesOf(JSON.stringify(digest))])
    await zip.finish()
    await this.#archive.sync()
  }

  async close(): Promise<void> {
    await Promise.all([this.#archive.close(), this.#reader.close()])
  }

  #records() {
    const options = { start: HEADER.length, end: this.#archive.end - 1, autoClose: false }
    return createReadStream('', { fd: this.#reader, highWaterMark: 2 ** 20, ...options })
  }

  /** Returns the description of the archive and its files, for `datapackage.json` (Frictionless Data Package). */
  #description(entries: readonly ZipEntry[]): Buffer {
    const main = this.#pages.first()
    const about = {
      profile: 'data-package',
      wacz_version: '1.1.1',
      title: main?.title ?? basename(this.#name),
      created: new Date().toISOString(),
      software: `orbweaver/${VERSION}`,
      ...(main && { mainPageUrl: main.url, mainPageDate: main.date }),
    }
    const resources = entries.map(({ path, bytes, sha256 }) => {
      return { name: basename(path), path, hash: `sha256:${sha256}`, bytes }
    })
    return bytesOf(`${JSON.stringify({ ...about, resources }, undefined, 2)}\n`)
  }
}

/**
 * Yields the index in compressed blocks, as readers of large archives expect it (ZipNum).
 * @param places is filled with the lines of `index.idx`: the first key of each block, and its position
 */
async function* compressedIndex(lines: Iterable<string>, places: string[]) {
  places.push('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n')
  let offset = 0
  for (const block of blocksOf(lines)) {
    const bytes = gzipSync(block.join(''))
    const key = block[0]?.split(' ', 2).join(' ')
    const place = { offset, length: bytes.length, digest: hashOf(bytes), filename: 'index.cdx.gz' }
    places.push(`${key} ${JSON.stringify(place)}\n`)
    offset += bytes.length
    yield bytes
    // Signals, the log and the live view get their turns.
    await turn()
  }
}

function* blocksOf(lines: Iterable<string>): Generator<string[]> {
  let block: string[] = []
  for (const line of lines) {
    if (block.push(line) < BLOCK_LINES) continue
    yield block
    block = []
  }
  if (block.length > 0) yield block
}

async function* bytesOfLines(lines: Iterable<string>) {
  for (const block of blocksOf(lines)) {
    yield bytesOf(block.join(''))
    await turn()
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
