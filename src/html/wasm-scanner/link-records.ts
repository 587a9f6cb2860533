import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { attributeText } from '../reference-scanner/decode-text.ts'
import { CONTROL, LINK, WORDS } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** The records of the module for the links and assets of the page that was scanned last, by number. */
export class LinkRecords {
  readonly count: number
  readonly decode: DecodeBytes
  readonly #memory: ScannerMemory
  readonly #length: number
  readonly #page: number

  /** @param length bytes of the page */
  constructor(memory: ScannerMemory, length: number, decode: DecodeBytes) {
    this.#memory = memory
    this.#length = length
    this.#page = memory.pageNumber
    this.decode = decode
    this.count = memory.control[CONTROL.pageLinkCount] ?? 0
  }

  /** The page itself. */
  get page(): Buffer {
    this.assertCurrent()
    return this.#memory.body.subarray(0, this.#length)
  }

  /** @throws Error if another page has replaced this one in memory */
  assertCurrent(): void {
    if (this.#memory.pageNumber !== this.#page) {
      throw new Error('the page was read after the next one replaced it')
    }
  }

  /** @param field one of `LINK` */
  field(link: number, field: number): number {
    return this.#memory.links[WORDS.link * link + field] ?? 0
  }

  setField(link: number, field: number, value: number): void {
    this.#memory.links[WORDS.link * link + field] = value
  }

  /** Returns the href of a link, or the value that its record has instead, with character references resolved. */
  hrefOf(link: number): string {
    return this.#valueAt(link, LINK.start) ?? ''
  }

  /** Returns the `rel` of a link, or the attribute that its record has instead: `type` or `http-equiv`. */
  relOf(link: number): string | undefined {
    return this.#valueAt(link, LINK.relStart)
  }

  /** Returns a value by the field that contains its start. The next field contains its end. */
  #valueAt(link: number, startField: number): string | undefined {
    this.assertCurrent()
    const start = this.field(link, startField)
    const raw = this.#memory.textAt(start, this.field(link, startField + 1))
    return raw === undefined ? undefined : attributeText(raw, this.decode)
  }
}
