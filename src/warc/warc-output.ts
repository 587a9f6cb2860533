import { basename, resolve } from 'node:path'
import { CrawlerError } from '../errors.ts'
import type { FileOutput } from '../output/file-output.ts'
import type { Output, OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { writeTexts } from '../output/write-texts.ts'
import { NOT_MODIFIED } from '../records/content-version.ts'
import type { ArchivedExchange, Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import { HOMEPAGE, VERSION } from '../version.ts'
import { Captures, type Original } from './captures.ts'
import { encodeWarcRecord, newRecordId } from './warc-record.ts'

const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/'
const EXTENSION = /\.warc\.gz$/i

/** An archive (WARC 1.1), and its index, which is written at the end. */
export class WarcOutput implements Output {
  readonly #name: string
  readonly #archive: FileOutput
  readonly #index: FileOutput
  readonly #captures: Captures
  #events: OutputEvents | undefined
  #length: number

  private constructor(name: string, archive: FileOutput, index: FileOutput, captures: Captures) {
    this.#name = name
    this.#archive = archive
    this.#index = index
    this.#captures = captures
    this.#length = archive.start
  }

  /** @throws CrawlerError */
  static async open(name: string, opener: OutputOpener): Promise<WarcOutput> {
    if (name === '-') throw unexpected('a file as --output, got stdout')
    const archive = await opener.openFile(name)
    if (!archive.isCutBackOnResume) throw unexpected(`a file as --output, got \`${name}\``)
    const index = await opener.openFile(indexOf(name), { isNamedByUser: false })
    const captures = new Captures(opener.database, resolve(name))
    const former = opener.formerName(name)
    if (former !== undefined) captures.takeOver(former)
    return new WarcOutput(name, archive, index, captures)
  }

  get congested(): boolean {
    return this.#archive.congested
  }

  open(events: OutputEvents): void {
    this.#events = events
    this.#archive.open(events)
    // An earlier run of the same crawl may have written an archive of that name, which is replaced.
    if (this.#length === 0) this.#captures.clear()
  }

  write(visits: readonly Delivery[]): void {
    for (const { exchange, resources = [] } of visits) {
      if (exchange !== undefined) this.#put(exchange)
      for (const resource of resources) {
        if (!this.#captures.has(resource.url)) this.#put(resource)
      }
    }
  }

  /** Makes the archive durable. The index has position 0, since a resumed run writes it again. */
  async sync(): Promise<Positions> {
    return { ...(await this.#archive.sync()), [resolve(indexOf(this.#name))]: 0 }
  }

  async finish(): Promise<void> {
    this.#begin()
    // The index is opened only now, so that the index of an earlier run stays until then.
    if (this.#events !== undefined)
      await writeTexts(this.#index, this.#captures.lines(), this.#events)
    await this.#index.sync()
  }

  async close(): Promise<void> {
    await Promise.all([this.#archive.close(), this.#index.close()])
  }

  #put(exchange: ArchivedExchange): void {
    this.#begin()
    const original = this.#captures.originalOf(exchange)
    const response = original === undefined ? exchange.response : revisitOf(exchange, original)
    this.#captures.put(exchange, original, this.#append(response))
    this.#append(exchange.request)
    if (exchange.rendered !== undefined) this.#append(exchange.rendered)
  }

  /**
   * Writes the first record, `warcinfo`, just before the next one. So a crawl that is killed early
   * leaves an empty file.
   */
  #begin(): void {
    if (this.#length === 0) this.#append(warcinfoOf(basename(this.#name)))
  }

  #append(record: Uint8Array) {
    const span = { start: this.#length, length: record.length }
    this.#archive.writeBytes(record)
    this.#length += record.length
    return span
  }
}

/** Returns the name of the index: `site.cdxj` for `site.warc.gz`. */
function indexOf(name: string): string {
  return `${name.replace(EXTENSION, '')}.cdxj`
}

function warcinfoOf(filename: string): Buffer {
  const lines = [
    `software: orbweaver/${VERSION} (+${HOMEPAGE})`,
    'format: WARC File Format 1.1',
    '',
  ]
  return encodeWarcRecord(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', newRecordId()],
      ['WARC-Date', new Date().toISOString()],
      ['WARC-Filename', filename],
      ['Content-Type', 'application/warc-fields'],
    ],
    Buffer.from(lines.join('\r\n')),
  )
}

/** Returns the record of a response whose body is already in another record, or of a 304. */
function revisitOf({ id, url, date, status, head }: ArchivedExchange, original: Original): Buffer {
  const isUnchanged = status === NOT_MODIFIED
  return encodeWarcRecord(
    [
      ['WARC-Type', 'revisit'],
      ['WARC-Record-ID', id],
      ['WARC-Target-URI', url],
      ['WARC-Date', date],
      [
        'WARC-Profile',
        `${PROFILES}${isUnchanged ? 'server-not-modified' : 'identical-payload-digest'}`,
      ],
      // The body is left out (WARC 1.1, 6.7.2). A 304 has none.
      ...(isUnchanged ? [] : [['WARC-Truncated', 'length'] as const]),
      ['WARC-Refers-To', original.record],
      ['WARC-Refers-To-Target-URI', original.url],
      ['WARC-Refers-To-Date', original.date],
      ['WARC-Payload-Digest', original.digest],
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    head,
  )
}

function unexpected(what: string): CrawlerError {
  return new CrawlerError('usage', `--format warc: expected ${what}`)
}
