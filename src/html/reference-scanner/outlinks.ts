import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { attributeText } from './decode-text.ts'
import { linkText } from './link-text.ts'
import type { PageBytes } from './page-bytes.ts'
import { ABSENT, type StartTag } from './start-tag.ts'

/**
 * A link as written in the page. Its strings may be slices that keep the whole page in memory: resolve or copy them.
 */
export interface Outlink {
  readonly href: string
  readonly tag: 'a' | 'area' | 'iframe' | 'frame' | 'meta'
  readonly attribute: 'href' | 'src' | 'content' | 'xlink:href'
  readonly rel?: string
}

/** The tag and the attribute of a link. */
export type LinkKind = Pick<Outlink, 'tag' | 'attribute'>

export const REFRESH: LinkKind = { tag: 'meta', attribute: 'content' }

/** Numbers that are kept per link: start and end of its href, start and end of its rel, and the end of its tag. */
const PER_LINK = 5
const NO_PLACE: readonly number[] = new Array(PER_LINK).fill(ABSENT)

/** The links of a page, in page order. Their strings are made when they are read. */
export class Outlinks implements Iterable<Outlink> {
  readonly #page: PageBytes
  readonly #decode: DecodeBytes
  readonly #kinds: LinkKind[] = []
  readonly #places: number[] = []
  /** Hrefs that are only a part of an attribute value, by index of the link. */
  readonly #parts = new Map<number, string>()

  constructor(page: PageBytes, decode: DecodeBytes) {
    this.#page = page
    this.#decode = decode
  }

  get length(): number {
    return this.#kinds.length
  }

  /** Adds a link, unless its tag lacks the attribute that contains the href. */
  add(kind: LinkKind, tag: StartTag): void {
    const start = tag.startOf(kind.attribute)
    if (start === ABSENT) return
    const end = tag.endOf(kind.attribute)
    this.#kinds.push(kind)
    this.#places.push(start, end, tag.startOf('rel'), tag.endOf('rel'), tag.end)
  }

  addRefresh(href: string): void {
    this.#parts.set(this.length, href)
    this.#kinds.push(REFRESH)
    this.#places.push(...NO_PLACE)
  }

  #hrefAt(index: number): string {
    return this.#parts.get(index) ?? this.#value(PER_LINK * index) ?? ''
  }

  #relAt(index: number): string | undefined {
    return this.#value(PER_LINK * index + 2)
  }

  *[Symbol.iterator](): Generator<Outlink, undefined> {
    for (const [index, { tag, attribute }] of this.#kinds.entries()) {
      const link = { href: this.#hrefAt(index), tag, attribute }
      const rel = this.#relAt(index)
      yield rel === undefined ? link : { ...link, rel }
    }
  }

  /** Yields the href and the text of each link. The text is empty if there is none, and for links other than `<a>`. */
  *shown(): Generator<{ readonly href: string; readonly text: string }, undefined> {
    for (const [index, { tag }] of this.#kinds.entries()) {
      const end = this.#places[PER_LINK * index + 4] ?? ABSENT
      const text = tag === 'a' ? linkText(this.#page, end, this.#decode) : ''
      yield { href: this.#hrefAt(index), text }
    }
  }

  #value(place: number): string | undefined {
    const start = this.#places[place] ?? ABSENT
    if (start === ABSENT) return undefined
    return attributeText(this.#page.text.slice(start, this.#places[place + 1]), this.#decode)
  }
}
