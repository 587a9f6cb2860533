import { DOUBLE_QUOTE, EQUALS, GREATER, isSpace, SINGLE_QUOTE, SLASH } from './ascii.ts'
import type { Html } from './html.ts'
import { endOfQuoted, endOfUnquoted, skipSpace } from './tag-end.ts'
import { Word } from './word.ts'

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
] as const
export type AttributeName = (typeof NAMES)[number]

/** Where the value of an attribute stands in the page. */
class Value {
  readonly word: Word
  start = 0
  end = 0
  /** Which tag the value is of, as counted by `StartTag`. */
  tag = 0

  constructor(name: AttributeName) {
    this.word = new Word(name)
  }
}

/** The attributes of one start tag, as ranges of the page; used again for tag after tag. */
export class StartTag {
  /** Whether the tag ends in `/>`. */
  selfClosing = false
  readonly #bytes: Uint8Array
  readonly #text: string
  readonly #values = new Map(NAMES.map((name) => [name, new Value(name)]))
  readonly #byLength: (readonly Value[])[] = []
  #tag = 0

  constructor({ bytes, text }: Html) {
    this.#bytes = bytes
    this.#text = text
    const values = [...this.#values.values()]
    for (let length = 0; length <= LONGEST; length++) {
      this.#byLength.push(values.filter(({ word }) => word.length === length))
    }
  }

  /** Reads the tag whose name ends at `from`; gives the index after its `>`, or -1 as `endOfTag`. */
  read(from: number): number {
    const bytes = this.#bytes
    this.#tag++
    this.selfClosing = false
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (byte === GREATER) return at + 1
      if (byte === SLASH || isSpace(byte)) {
        this.selfClosing = byte === SLASH && bytes[at + 1] === GREATER
        at++
      } else at = this.#readAttribute(at)
    }
    return -1
  }

  /** The raw value of the first attribute of that name: a slice of the page. */
  raw(name: AttributeName): string | undefined {
    const value = this.#values.get(name)
    if (value === undefined || value.tag !== this.#tag) return undefined
    return this.#text.slice(value.start, value.end)
  }

  /** Reads name and value; gives the index after them, at or beyond the page's end when that cuts them. */
  #readAttribute(start: number): number {
    const bytes = this.#bytes
    const nameEnd = endOfAttributeName(bytes, start)
    const value = this.#valueOf(start, nameEnd)
    const equals = skipSpace(bytes, nameEnd)
    if (bytes[equals] !== EQUALS) return this.#keep(value, equals, equals, equals)
    const open = skipSpace(bytes, equals + 1)
    const first = bytes[open]
    if (first !== DOUBLE_QUOTE && first !== SINGLE_QUOTE) {
      const end = endOfUnquoted(bytes, open)
      return this.#keep(value, open, end, end)
    }
    const end = endOfQuoted(bytes, open + 1, first)
    return this.#keep(value, open + 1, end, end + 1)
  }

  /** The place for the value of the attribute named from `start` to `end`, if it is one to read. */
  #valueOf(start: number, end: number): Value | undefined {
    const values = this.#byLength[end - start]
    if (values === undefined) return undefined
    for (const value of values) if (value.word.isAt(this.#bytes, start)) return value
    return undefined
  }

  /** Notes the value unless an attribute of the same name came first; gives `next`. */
  #keep(value: Value | undefined, start: number, end: number, next: number): number {
    if (value === undefined || value.tag === this.#tag) return next
    value.tag = this.#tag
    value.start = start
    value.end = end
    return next
  }
}

const LONGEST = Math.max(...NAMES.map((name) => name.length))

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
