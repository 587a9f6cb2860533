import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { attributeText } from '../reference-scanner/decode-text.ts'
import { type AttributeName, MAX_VALUE } from '../reference-scanner/start-tag.ts'
import { CONTROL, HEAD_TAG, WORDS } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** The field of a record that contains the start of an attribute. The next field contains its end. */
const FIELDS: ReadonlyMap<AttributeName, number> = new Map([
  ['href', HEAD_TAG.hrefStart],
  ['rel', HEAD_TAG.relStart],
  ['charset', HEAD_TAG.charsetStart],
  ['http-equiv', HEAD_TAG.httpEquivStart],
  ['content', HEAD_TAG.contentStart],
  ['name', HEAD_TAG.nameStart],
])

/** A tag of the page's head that the module found: a `<base>`, `<link>` or `<meta>`. */
export class HeadTag {
  /** One of `HEAD_TAG_KIND`. */
  readonly kind: number
  readonly #memory: ScannerMemory
  readonly #place: number

  constructor(memory: ScannerMemory, index: number) {
    this.#memory = memory
    this.#place = WORDS.headTag * index
    this.kind = this.#field(HEAD_TAG.kind)
  }

  /** Returns the value of an attribute as written in the page; undefined if the tag doesn't have the attribute. */
  raw(name: AttributeName): string | undefined {
    const field = FIELDS.get(name) ?? 0
    return this.#memory.textAt(this.#field(field), this.#field(field + 1))
  }

  /** Returns the decoded value of an attribute; undefined if the tag doesn't have it or the value is too long. */
  value(name: AttributeName, decode: DecodeBytes): string | undefined {
    const raw = this.raw(name)
    return raw === undefined || raw.length > MAX_VALUE ? undefined : attributeText(raw, decode)
  }

  #field(field: number): number {
    return this.#memory.headTags[this.#place + field] ?? 0
  }
}

/** Returns the tags of the head of the page that was scanned last, in page order. */
export function headTags(memory: ScannerMemory): HeadTag[] {
  const count = memory.control[CONTROL.headTagCount] ?? 0
  const tags: HeadTag[] = []
  for (let index = 0; index < count; index++) tags.push(new HeadTag(memory, index))
  return tags
}
