import { basename, resolve } from 'node:path'
import { CrawlerError } from '../errors.ts'
import type { FileOutput } from '../output/file-output.ts'
import type { OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { NOT_MODIFIED } from '../records/content-version.ts'
import type { ArchivedExchange, Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import { HOMEPAGE, VERSION } from '../version.ts'
import { Captures, type Original } from './captures.ts'
import { encodeWarcRecord, newRecordId, serverField } from './warc-record.ts'

const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/'
const GZIP_MAGIC = 0x1f

interface ArchiveTraits {
  readonly format: 'wacz' | 'warc'
  /** The bytes of the file before its records. */
  readonly prefix?: Uint8Array
  /** The first byte of what is written behind the records at the end. */
  readonly suffixMagic?: number
}

/** Writes the responses of visits to a file as records of WARC 1.1. Each body is written once. */
export class ArchiveWriter {
  readonly captures: Captures
  readonly #file: FileOutput
  readonly #name: string
  readonly #prefix: Uint8Array
  /** Bytes of the records so far. */
  #length: number

  private constructor(name: string, file: FileOutput, captures: Captures, prefix: Uint8Array) {
    this.captures = captures
    this.#file = file
    this.#name = name
    this.#prefix = prefix
    this.#length = Math.max(0, file.start - prefix.length)
  }

  /** @throws CrawlerError */
  static async open(
    name: string,
    opener: OutputOpener,
    { format, prefix = Buffer.alloc(0), suffixMagic = GZIP_MAGIC }: ArchiveTraits,
  ): Promise<ArchiveWriter> {
    if (name === '-') throw notFile(format, 'stdout')
    const file = await opener.openFile(name, { nextBytes: [GZIP_MAGIC, suffixMagic] })
    if (!file.isCutBackOnResume) throw notFile(format, `\`${name}\``)
    const captures = new Captures(opener.database, resolve(name))
    const former = opener.formerName(name)
    if (former !== undefined) captures.takeOver(former)
    return new ArchiveWriter(name, file, captures, prefix)
  }

  get congested(): boolean {
    return this.#file.congested
  }

  /** True if the file has no records yet. */
  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Position in the file behind the last record. */
  get end(): number {
    return this.#prefix.length + this.#length
  }

  open(events: OutputEvents): void {
    this.#file.open(events)
    // An earlier run of the same crawl may have written an archive of that name, which is replaced.
    if (this.isEmpty) this.captures.clear()
  }

  write(visits: readonly Delivery[]): void {
    for (const { exchange, resources = [] } of visits) {
      if (exchange !== undefined) this.#put(exchange)
      for (const resource of resources) {
        if (!this.captures.has(resource.url)) this.#put(resource)
      }
    }
  }

  /**
   * Writes the first record, `warcinfo`. Called just before the next one, so that a crawl that is killed early leaves
   * an empty file, and at the end.
   */
  begin(): void {
    if (!this.isEmpty) return
    this.#file.writeBytes(this.#prefix)
    this.#append(warcinfoOf(basename(this.#name)))
  }

  /** Writes bytes behind the last record. No record may follow in this run. */
  async writeSuffix(bytes: Uint8Array): Promise<void> {
    this.#file.writeBytes(bytes)
    if (this.#file.congested) await this.#file.sync()
  }

  sync(): Promise<Positions> {
    return this.#file.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #put(exchange: ArchivedExchange): void {
    this.begin()
    const original = this.captures.originalOf(exchange)
    const response = original === undefined ? exchange.response : revisitOf(exchange, original)
    this.captures.put(exchange, original, this.#append(response))
    this.#append(exchange.request)
    if (exchange.rendered !== undefined) this.#append(exchange.rendered)
  }

  #append(record: Uint8Array) {
    const span = { start: this.#length, length: record.length }
    this.#file.writeBytes(record)
    this.#length += record.length
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
      ['WARC-Refers-To', original.record],
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
