import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { attributeText } from './decode-text.ts'
import { linkText } from './link-text.ts'
import type { Html } from './page-bytes.ts'
import { ABSENT, REL, type Slot, type StartTag } from './start-tag.ts'

/** A link as the page wrote it. Its strings may be slices of the page: resolve or copy. */
export interface Outlink {
  readonly href: string
  readonly tag: 'a' | 'area' | 'iframe' | 'frame' | 'meta'
  readonly attribute: 'href' | 'src' | 'content' | 'xlink:href'
  readonly rel?: string
}

/** What tells links apart beside their values. */
export type LinkKind = Pick<Outlink, 'tag' | 'attribute'>

const REFRESH: LinkKind = { tag: 'meta', attribute: 'content' }

/** Numbers kept per link: where its href starts and ends, the same of its rel, and where its tag ends. */
const PER_LINK = 5
const NO_PLACE: readonly number[] = new Array(PER_LINK).fill(ABSENT)

/**
 * The links of a page, in page order. Most of them stand on other pages, too: who knows them by their
 * bytes has no string made of them.
 */
export class Outlinks implements Iterable<Outlink> {
  readonly #html: Html
  readonly #decode: DecodeBytes
  readonly #kinds: LinkKind[] = []
  readonly #places: number[] = []
  /** Hrefs that are a part of a value, by index. */
  readonly #parts = new Map<number, string>()

  constructor(html: Html, decode: DecodeBytes) {
    this.#html = html
    this.#decode = decode
  }

  get length(): number {
    return this.#kinds.length
  }

  /** What `startOf` and `endOf` refer to: the page. */
  get bytes(): Uint8Array {
    return this.#html.bytes
  }

  /** @param href which attribute of the tag it is */
  add(kind: LinkKind, tag: StartTag, href: Slot): void {
    this.#kinds.push(kind)
    const { end } = tag
    this.#places.push(tag.startOf(href), tag.endOf(href), tag.startOf(REL), tag.endOf(REL), end)
  }

  addRefresh(href: string): void {
    this.#parts.set(this.length, href)
    this.#kinds.push(REFRESH)
    this.#places.push(...NO_PLACE)
  }

  /** Where an href starts, or `ABSENT` when it is a part of a value. */
  startOf(index: number): number {
    return this.#places[PER_LINK * index] ?? ABSENT
  }

  endOf(index: number): number {
    return this.#places[PER_LINK * index + 1] ?? ABSENT
  }

  hrefAt(index: number): string {
    return this.#parts.get(index) ?? this.#value(PER_LINK * index) ?? ''
  }

  relAt(index: number): string | undefined {
    return this.#value(PER_LINK * index + 2)
  }

  *[Symbol.iterator](): Generator<Outlink, undefined> {
    for (const [index, { tag, attribute }] of this.#kinds.entries()) {
      const link = { href: this.hrefAt(index), tag, attribute }
      const rel = this.relAt(index)
      yield rel === undefined ? link : { ...link, rel }
    }
  }

  /** Hrefs, and what the `<a>` among them show; empty where they show nothing. */
  *shown(): Generator<{ readonly href: string; readonly text: string }, undefined> {
    for (const [index, { tag }] of this.#kinds.entries()) {
      const end = this.#places[PER_LINK * index + 4] ?? ABSENT
      const text = tag === 'a' ? linkText(this.#html, end, this.#decode) : ''
      yield { href: this.hrefAt(index), text }
    }
  }

  #value(place: number): string | undefined {
    const start = this.#places[place] ?? ABSENT
    if (start === ABSENT) return undefined
    return attributeText(this.#html.text.slice(start, this.#places[place + 1]), this.#decode)
  }
}
