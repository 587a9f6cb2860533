import { decoderOf, type TextDecoding } from '../../../encoding/decoders.ts'
import { guessCharset } from '../../../html/charset/guess-charset.ts'
import { declaredCharset } from '../../../html/reference-scanner/declared-charset.ts'
import { LineReader } from './line-reader.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { type XmlFormat, XmlReader } from './xml-reader.ts'

export interface SitemapOptions {
  /** Bytes read of the file, inflated. */
  readonly maxBytes: number
  /** Entries that are returned. */
  readonly maxEntries: number
  /** True if it may be a text of another kind: then it is one of URLs only if it begins with one. */
  readonly mayBeOther: boolean
}

export interface SitemapSummary {
  /** Undefined when it is none of these: nothing was found then. */
  readonly format: XmlFormat | 'text' | undefined
  readonly pages: number
  readonly sitemaps: number
  /** There was more than the limits allow. */
  readonly truncated: boolean
}

/** A URL, which comments may precede: sitemaps know none, but their authors do. */
const LIST_AT_START = /^(?:#.*[\r\n]\s*)*https?:\/\/\S/i

/** One file being read: finds out its encoding and its format, then counts what it names. */
export class SitemapReader {
  readonly #options: SitemapOptions
  #decoder: TextDecoding | undefined
  #reader: XmlReader | LineReader | undefined
  #entries: SitemapEntry[] = []
  #bytes = 0
  #pages = 0
  #sitemaps = 0
  #truncated = false
  #isOther = false

  constructor(options: SitemapOptions) {
    this.#options = options
  }

  /** True if the rest of the file can be ignored. */
  get isDone(): boolean {
    return this.#truncated || this.#isOther || this.#reader?.isDone === true
  }

  write(piece: Buffer): void {
    const room = this.#options.maxBytes - this.#bytes
    this.#truncated = piece.length > room
    const bytes = piece.subarray(0, room)
    this.#bytes += bytes.length
    this.#decoder ??= decoderOf(encodingOf(bytes), false)
    this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  end(): void {
    this.#read(this.#decoder?.decode() ?? '')
    this.#reader?.end()
  }

  /** The entries found since the last call. */
  take(): readonly SitemapEntry[] {
    const entries = this.#entries
    this.#entries = []
    return entries
  }

  summary(): SitemapSummary {
    return {
      format: this.#reader?.format,
      pages: this.#pages,
      sitemaps: this.#sitemaps,
      truncated: this.#truncated,
    }
  }

  #read(text: string): void {
    const start = this.#reader === undefined ? text.trimStart() : ''
    if (start !== '') this.#open(start)
    this.#reader?.write(text)
  }

  /** @param start of the file, without white space */
  #open(start: string): void {
    const onEntry = (entry: SitemapEntry) => this.#add(entry)
    if (start.startsWith('<')) this.#reader = new XmlReader(onEntry)
    else if (this.#options.mayBeOther && !LIST_AT_START.test(start)) this.#isOther = true
    else this.#reader = new LineReader(onEntry)
  }

  #add(entry: SitemapEntry): void {
    if (this.#pages + this.#sitemaps >= this.#options.maxEntries) {
      this.#truncated = true
      return
    }
    if (entry.kind === 'page') this.#pages++
    else this.#sitemaps++
    this.#entries.push(entry)
  }
}

/** As of an HTML page: by BOM, by XML declaration, else by its bytes. */
function encodingOf(head: Buffer): string {
  const encoding = declaredCharset(head, undefined) ?? guessCharset(head)
  return encoding === 'replacement' ? 'utf-8' : encoding
}
