import { DOUBLE_QUOTE, EQUALS, GREATER, isSpace, SINGLE_QUOTE, SLASH } from './ascii.ts'
import type { Html } from './html.ts'
import { endOfQuoted, endOfUnquoted, skipSpace } from './tag-end.ts'
import { Words } from './words.ts'

/** The attributes that the scanner reads; all others are passed over. */
const NAMES = [
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
] as const
export type AttributeName = (typeof NAMES)[number]
const ATTRIBUTES = new Words(NAMES)

/** The attributes of one start tag, as ranges of the page; used again for tag after tag. */
export class StartTag {
  /** Whether the tag ends in `/>`. */
  selfClosing = false
  readonly #html: Html
  /** Where the value of each attribute starts, -1 when the tag has none of that name, and ends. */
  readonly #starts = new Int32Array(NAMES.length)
  readonly #ends = new Int32Array(NAMES.length)

  constructor(html: Html) {
    this.#html = html
  }

  /** Reads the tag whose name ends at `from`; gives the index after its `>`, or -1 as `endOfTag`. */
  read(from: number): number {
    const { bytes } = this.#html
    const starts = this.#starts.fill(-1)
    let slash = -1
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (byte === GREATER) {
        this.selfClosing = slash === at - 1
        return at + 1
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
      if (slot < 0 || (starts[slot] ?? 0) >= 0) continue
      starts[slot] = start
      this.#ends[slot] = end
    }
    return -1
  }

  /** The raw value of the first attribute of that name: a slice of the page. */
  raw(name: AttributeName): string | undefined {
    const slot = NAMES.indexOf(name)
    const start = this.#starts[slot] ?? -1
    return start < 0 ? undefined : this.#html.text.slice(start, this.#ends[slot])
  }
}

/** A `=` in first place belongs to the name. */
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
