import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { attributeText } from '../reference-scanner/decode-text.ts'
import { CONTROL, LINK, WORDS } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** Links and assets of the page that was scanned last, by number, as the module keeps them. */
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

  /** @throws when another page has taken this one's place */
  assertCurrent(): void {
    if (this.#memory.pageNumber !== this.#page) throw new Error('the page was replaced')
  }

  /** @param field one of `LINK` */
  field(link: number, field: number): number {
    return this.#memory.links[WORDS.link * link + field] ?? 0
  }

  setField(link: number, field: number, value: number): void {
    this.#memory.links[WORDS.link * link + field] = value
  }

  /** Its href, or what stands in place of one, character references resolved. */
  hrefOf(link: number): string {
    return this.#valueAt(link, LINK.start) ?? ''
  }

  /** The same of its `rel`, or of what decides on it in place of `rel`. */
  relOf(link: number): string | undefined {
    return this.#valueAt(link, LINK.relStart)
  }

  /** Where a value ends in the page stands behind where it starts. */
  #valueAt(link: number, startField: number): string | undefined {
    this.assertCurrent()
    const start = this.field(link, startField)
    const raw = this.#memory.textAt(start, this.field(link, startField + 1))
    return raw === undefined ? undefined : attributeText(raw, this.decode)
  }
}
