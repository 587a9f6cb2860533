import { decoderOf, type TextDecoding } from '../../../encoding/decoders.ts'
import { guessCharset } from '../../../html/charset/guess-charset.ts'
import { declaredCharset } from '../../../html/reference-scanner/declared-charset.ts'
import { LineReader } from './line-reader.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { XmlReader } from './xml-reader.ts'

export interface SitemapOptions {
  /** The URL of the file. */
  readonly url: string
  /** Maximum number of bytes that are read of the decompressed file. */
  readonly maxBytes: number
  /** Maximum number of entries. */
  readonly maxEntries: number
  /** True if the file may be a text of another kind. Then it counts as a list of URLs only if it starts with one. */
  readonly mayBeOther: boolean
}

export interface SitemapSummary {
  /** False if the file is neither a sitemap nor a feed, and contains no entries. */
  readonly isSitemap: boolean
  /** Number of entries: pages, and further sitemaps. */
  readonly entries: number
}

/** A URL, optionally after comments. The format has no comments, but some authors write them. */
const LIST_AT_START = /^(?:#.*[\r\n]\s*)*https?:\/\/\S/i

/** Reads one file: detects its encoding and its format, then collects its entries. */
export class SitemapReader {
  readonly #options: SitemapOptions
  #decoder: TextDecoding | undefined
  #reader: XmlReader | LineReader | undefined
  #entries: SitemapEntry[] = []
  #bytes = 0
  #count = 0
  /** True for a file of another kind, and once it has more than the limits allow. */
  #ignoresRest = false

  constructor(options: SitemapOptions) {
    this.#options = options
  }

  /** True if the rest of the file can be ignored. */
  get isDone(): boolean {
    return this.#ignoresRest || this.#reader?.isDone === true
  }

  write(piece: Buffer): void {
    const room = this.#options.maxBytes - this.#bytes
    this.#ignoresRest = piece.length > room
    const bytes = piece.subarray(0, room)
    this.#bytes += bytes.length
    this.#decoder ??= decoderOf(encodingOf(bytes))
    this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  end(): void {
    this.#read(this.#decoder?.decode() ?? '')
    this.#reader?.end()
  }

  /** Returns the entries found since the last call. */
  take(): readonly SitemapEntry[] {
    const entries = this.#entries
    this.#entries = []
    return entries
  }

  summary(): SitemapSummary {
    return { isSitemap: this.#reader?.isSitemap === true, entries: this.#count }
  }

  #read(text: string): void {
    const start = this.#reader === undefined ? text.trimStart() : ''
    if (start !== '') this.#open(start)
    this.#reader?.write(text)
  }

  /** @param start of the file, without white space */
  #open(start: string): void {
    const onEntry = (entry: SitemapEntry) => this.#add(entry)
    if (start.startsWith('<')) this.#reader = new XmlReader(onEntry, this.#options.url)
    else if (this.#options.mayBeOther && !LIST_AT_START.test(start)) this.#ignoresRest = true
    else this.#reader = new LineReader(onEntry)
  }

  #add(entry: SitemapEntry): void {
    if (this.#count >= this.#options.maxEntries) {
      this.#ignoresRest = true
      return
    }
    this.#count++
    this.#entries.push(entry)
  }
}

/** Returns the encoding, detected as for an HTML page: by BOM, by XML declaration, else guessed from the bytes. */
function encodingOf(head: Buffer): string {
  const encoding = declaredCharset(head, undefined) ?? guessCharset(head)
  return encoding === 'replacement' ? 'utf-8' : encoding
}
