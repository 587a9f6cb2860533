import { basename, resolve } from 'node:path'
import { CrawlerError } from '../errors.ts'
import type { OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { NOT_MODIFIED } from '../records/content-version.ts'
import type { ArchivedExchange, Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import { HOMEPAGE, VERSION } from '../version.ts'
import { ArchiveFiles } from './archive-files.ts'
import { Captures, type Original, type Place } from './captures.ts'
import type { EarlierBodies } from './earlier-bodies.ts'
import { encodeWarcRecord, newRecordId, serverField } from './warc-record.ts'

const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/'
const GZIP_MAGIC = 0x1f
const NO_PREFIX = Buffer.alloc(0)

interface ArchiveTraits {
  readonly format: 'wacz' | 'warc'
  /** The bytes of the file before its records. */
  readonly prefix?: Uint8Array
  /** The first byte of what is written behind the records at the end. */
  readonly suffixMagic?: number
  /** Bytes at which a file is large enough, so that the archive continues in another one. */
  readonly maxBytes?: number | undefined
  /** The bodies that aren't written again, since earlier archives have them. */
  readonly earlier?: EarlierBodies | undefined
}

/** Writes the responses of visits to files as records of WARC 1.1. Each body is written once. */
export class ArchiveWriter {
  readonly captures: Captures
  readonly #files: ArchiveFiles
  readonly #prefix: Uint8Array
  readonly #earlier: EarlierBodies | undefined

  private constructor(
    files: ArchiveFiles,
    captures: Captures,
    { prefix = NO_PREFIX, earlier }: ArchiveTraits,
  ) {
    this.captures = captures
    this.#files = files
    this.#prefix = prefix
    this.#earlier = earlier
  }

  /** @throws CrawlerError */
  static async open(
    name: string,
    opener: OutputOpener,
    traits: ArchiveTraits,
  ): Promise<ArchiveWriter> {
    const { format, suffixMagic = GZIP_MAGIC, maxBytes = Number.POSITIVE_INFINITY } = traits
    if (name === '-') throw notFile(format, 'stdout')
    const nextBytes = [GZIP_MAGIC, suffixMagic]
    const files = await ArchiveFiles.open(name, opener, { nextBytes, maxBytes })
    if (!files.isCutBackOnResume) throw notFile(format, `\`${name}\``)
    const captures = new Captures(opener.database, resolve(name))
    const former = opener.formerName(name)
    if (former !== undefined) captures.takeOver(former)
    return new ArchiveWriter(files, captures, traits)
  }

  get congested(): boolean {
    return this.#files.congested
  }

  /** True if the archive has no records yet. */
  get isEmpty(): boolean {
    return this.#files.length === 0
  }

  /** Number of bytes up to the end of the last record. */
  get end(): number {
    return this.#files.length
  }

  open(events: OutputEvents): void {
    this.#files.open(events)
    // An earlier run of the same crawl may have written an archive of that name, which is replaced.
    if (this.isEmpty) this.captures.clear()
  }

  write(visits: readonly Delivery[]): void {
    this.#files.beginNext()
    for (const { exchange, resources = [] } of visits) {
      if (exchange !== undefined) this.#put(exchange)
      for (const resource of resources) {
        if (!this.captures.has(resource.url)) this.#put(resource)
      }
    }
  }

  /** Ends the records of this run. */
  async finish(): Promise<void> {
    await this.#files.finish()
    this.#begin()
  }

  /** Writes bytes behind the last record. No record may follow in this run. */
  writeSuffix(bytes: Uint8Array): Promise<void> {
    return this.#files.writeSuffix(bytes)
  }

  sync(): Promise<Positions> {
    return this.#files.sync()
  }

  close(): Promise<void> {
    return this.#files.close()
  }

  /** Returns where a record is that begins at this number of bytes after the first one. */
  placeOf(start: number): Place {
    return this.#files.placeOf(this.#prefix.length + start)
  }

  /**
   * Writes the first record of a file, `warcinfo`. Called just before the next one, so that a crawl that is killed early
   * leaves an empty file, and at the end.
   */
  #begin(): void {
    if (!this.#files.isAtStart) return
    if (this.isEmpty) this.#files.write(this.#prefix)
    this.#append(warcinfoOf(basename(this.#files.name)))
  }

  #put(exchange: ArchivedExchange): void {
    this.#begin()
    const original = this.captures.originalOf(exchange) ?? this.#earlier?.originalOf(exchange)
    const response = original === undefined ? exchange.response : revisitOf(exchange, original)
    this.captures.put(exchange, original, this.#append(response))
    this.#append(exchange.request)
    if (exchange.rendered !== undefined) this.#append(exchange.rendered)
  }

  #append(record: Uint8Array) {
    const span = { start: this.#files.length - this.#prefix.length, length: record.length }
    this.#files.write(record)
    return span
  }
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
function revisitOf(exchange: ArchivedExchange, original: Original): Buffer {
  const { id, url, date, server, status, head } = exchange
  const isUnchanged = status === NOT_MODIFIED
  return encodeWarcRecord(
    [
      ['WARC-Type', 'revisit'],
      ['WARC-Record-ID', id],
      ['WARC-Target-URI', url],
      ['WARC-Date', date],
      ...serverField(server),
      [
        'WARC-Profile',
        `${PROFILES}${isUnchanged ? 'server-not-modified' : 'identical-payload-digest'}`,
      ],
      // The body is left out (WARC 1.1, 6.7.2). A 304 has none.
      ...(isUnchanged ? [] : [['WARC-Truncated', 'length'] as const]),
      ...(original.record === undefined ? [] : [['WARC-Refers-To', original.record] as const]),
      ['WARC-Refers-To-Target-URI', original.url],
      ['WARC-Refers-To-Date', original.date],
      ['WARC-Payload-Digest', original.digest],
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    head,
  )
}

function notFile(format: string, got: string): CrawlerError {
  return new CrawlerError('usage', `--format ${format}: expected a file as --output, got ${got}`)
}
