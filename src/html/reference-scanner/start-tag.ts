import {
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isSpace,
  SINGLE_QUOTE,
  SLASH,
} from '../../encoding/ascii.ts'
import { NameSet } from './name-set.ts'
import type { PageBytes } from './page-bytes.ts'
import { endOfQuoted, endOfUnquoted, skipSpace } from './tag-end.ts'

/** The attributes that the scanner reads; all others are skipped. */
export const ATTRIBUTE_NAMES = [
  'href',
  'src',
  'rel',
  'name',
  'content',
  'http-equiv',
  'charset',
  'shadowrootmode',
  'encoding',
  'xlink:href',
  'color',
  'face',
  'size',
  'srcset',
  'imagesrcset',
  'data',
  'poster',
  'type',
  'background',
  'as',
] as const
export type AttributeName = (typeof ATTRIBUTE_NAMES)[number]
const ATTRIBUTES = new NameSet(ATTRIBUTE_NAMES)

/** The start and end of an attribute that the tag doesn't have. */
export const ABSENT = -1

/** Maximum length of a value, in bytes. Longer values are ignored: no URL, title or directive is that long. */
export const MAX_VALUE = 65_536

/** The attributes of one start tag, as ranges of the page. One object is reused for all tags of a page. */
export class StartTag {
  /** True if the tag ends in `/>`. */
  selfClosing = false
  /** The index after the tag's `>`. */
  end = 0
  readonly #page: PageBytes
  /** One bit for each attribute that the tag has, by its index in `ATTRIBUTE_NAMES`, which has at most 32 entries. */
  #present = 0
  /** Start and end of each attribute's value in the page. */
  readonly #starts = new Int32Array(ATTRIBUTE_NAMES.length)
  readonly #ends = new Int32Array(ATTRIBUTE_NAMES.length)

  constructor(page: PageBytes) {
    this.#page = page
  }

  /** Reads the tag whose name ends at `from`. Returns the index after its `>`; -1 if the page ends before. */
  read(from: number): number {
    const { bytes } = this.#page
    let present = 0
    let slash = -1
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (byte === GREATER) {
        this.selfClosing = slash === at - 1
        this.#present = present
        this.end = at + 1
        return this.end
      }
      if (byte === SLASH || isSpace(byte)) {
        if (byte === SLASH) slash = at
        at++
        continue
      }
      const nameEnd = endOfAttributeName(bytes, at)
      const slot = ATTRIBUTES.indexAt(bytes, at, nameEnd)
      at = skipSpace(bytes, nameEnd)
      let start = at
      let end = at
      if (bytes[at] === EQUALS) {
        start = skipSpace(bytes, at + 1)
        const quote = bytes[start]
        const isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE
        end = isQuoted ? endOfQuoted(bytes, ++start, quote) : endOfUnquoted(bytes, start)
        at = isQuoted ? end + 1 : end
      }
      if (slot < 0 || (present & (1 << slot)) !== 0) continue
      present |= 1 << slot
      this.#starts[slot] = start
      this.#ends[slot] = end
    }
    return -1
  }

  /** Returns the raw value of the first attribute with that name, as a slice of the page. */
  raw(name: AttributeName): string | undefined {
    if (!this.has(name)) return undefined
    const slot = ATTRIBUTE_NAMES.indexOf(name)
    return this.#page.text.slice(this.#starts[slot], this.#ends[slot])
  }

  has(name: AttributeName): boolean {
    return (this.#present & (1 << ATTRIBUTE_NAMES.indexOf(name))) !== 0
  }

  /** Returns the start of an attribute's value in the page; `ABSENT` if the tag has none or the value is too long. */
  startOf(name: AttributeName): number {
    const slot = ATTRIBUTE_NAMES.indexOf(name)
    const isPresent = (this.#present & (1 << slot)) !== 0
    const start = this.#starts[slot] ?? ABSENT
    return isPresent && this.endOf(name) - start <= MAX_VALUE ? start : ABSENT
  }

  /** Returns the end of the value of an attribute that the tag has. */
  endOf(name: AttributeName): number {
    return this.#ends[ATTRIBUTE_NAMES.indexOf(name)] ?? ABSENT
  }
}

/** Returns the end of the attribute name that starts at `from`. A `=` as its first character is part of the name. */
function endOfAttributeName(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte <= GREATER) {
      if (byte === EQUALS || byte === GREATER || byte === SLASH || isSpace(byte)) return at
    }
    at++
  }
  return at
}
