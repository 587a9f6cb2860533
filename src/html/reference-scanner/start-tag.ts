import {
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isSpace,
  SINGLE_QUOTE,
  SLASH,
} from '../../encoding/ascii.ts'
import { NameSet } from './name-set.ts'
import type { Html } from './page-bytes.ts'
import { endOfQuoted, endOfUnquoted, skipSpace } from './tag-end.ts'

/** The attributes that the scanner reads; all others are passed over. */
export const NAMES = [
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
export type AttributeName = (typeof NAMES)[number]
const ATTRIBUTES = new NameSet(NAMES)

/** An attribute that the scanner reads, by its index in `NAMES`. */
export type Slot = number
const SLOTS: ReadonlyMap<string, Slot> = new Map(NAMES.map((name, slot) => [name, slot]))
export const HREF: Slot = slotOf('href')
export const SRC: Slot = slotOf('src')
export const REL: Slot = slotOf('rel')
export const XLINK_HREF: Slot = slotOf('xlink:href')

/** Where an attribute starts and ends that the tag doesn't have. */
export const ABSENT = -1

/** Longer values count for nothing: no URL, title or directive needs as much. */
export const MAX_VALUE = 65_536

/** The attributes of one start tag, as ranges of the page; used again for tag after tag. */
export class StartTag {
  /** True if the tag ends in `/>`. */
  selfClosing = false
  /** Index after its `>`. */
  end = 0
  readonly #html: Html
  /** A bit for each attribute that the tag has, by its index in `NAMES`, which are 32 at most. */
  #present = 0
  /** Where the value of each of them starts and ends. */
  readonly #starts = new Int32Array(NAMES.length)
  readonly #ends = new Int32Array(NAMES.length)

  constructor(html: Html) {
    this.#html = html
  }

  /** Reads the tag whose name ends at `from`; gives the index after its `>`, or -1 as `endOfTag`. */
  read(from: number): number {
    const { bytes } = this.#html
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

  /** The raw value of the first attribute of that name: a slice of the page. */
  raw(name: AttributeName): string | undefined {
    const slot = slotOf(name)
    if (!this.has(slot)) return undefined
    return this.#html.text.slice(this.#starts[slot], this.#ends[slot])
  }

  has(slot: Slot): boolean {
    return (this.#present & (1 << slot)) !== 0
  }

  /** Where the value of the first such attribute starts in the page; `ABSENT` when it is too long, too. */
  startOf(slot: Slot): number {
    const start = this.#starts[slot] ?? ABSENT
    return !this.has(slot) || this.endOf(slot) - start > MAX_VALUE ? ABSENT : start
  }

  endOf(slot: Slot): number {
    return this.has(slot) ? (this.#ends[slot] ?? ABSENT) : ABSENT
  }
}

function slotOf(name: AttributeName): Slot {
  return SLOTS.get(name) ?? 0
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
