import { detachedCopy } from '../../encoding/detached-copy.ts'
import { TokenReader } from '../../html/token-reader.ts'

/** Maximum number of names of a page, and of characters of a name. */
const MAX_NAMES = 100_000
const MAX_NAME = 2_000
const TEMPLATE = 'template'

/**
 * Returns the possible targets of fragments in a page (HTML standard, "find a potential indicated element"), without
 * duplicates: the `id` of any element, and the `name` of an `a`. Elements inside a `<template>` aren't in the document, or
 * are in a shadow tree, where fragments don't lead. Returns undefined if there are too many.
 */
export function fragmentIdsOf(html: string): string[] | undefined {
  const reader = new AnchorReader(html)
  reader.read()
  return reader.names.size > MAX_NAMES ? undefined : [...reader.names]
}

/** Collects the attributes that a fragment may refer to. */
class AnchorReader extends TokenReader {
  readonly names = new Set<string>()
  /** Number of open templates. */
  #templates = 0
  #isName = false
  #value = ''
  /** True once the open tag has such an attribute. Browsers ignore a second one. */
  #hasId = false
  #hasName = false

  protected override onTagName(): void {
    this.#hasId = this.#hasName = false
  }

  protected override onStartTag(): void {
    if (this.tag === TEMPLATE) this.#templates++
  }

  protected override onEndTag(tag: string): void {
    if (tag === TEMPLATE && this.#templates > 0) this.#templates--
  }

  override onattribname(start: number, end: number): void {
    const length = end - start
    const name = length === 2 || length === 4 ? this.html.slice(start, end).toLowerCase() : ''
    const isId = name === 'id' && !this.#hasId
    const isLinkName = name === 'name' && this.tag === 'a' && !this.#hasName
    this.#hasId ||= isId
    this.#hasName ||= isLinkName
    this.#isName = (isId || isLinkName) && this.#templates === 0
    this.#value = ''
  }

  override onattribdata(start: number, end: number): void {
    if (this.#isName) this.#add(this.html.slice(start, Math.min(end, start + MAX_NAME)))
  }

  override onattribentity(codepoint: number): void {
    if (this.#isName) this.#add(String.fromCodePoint(codepoint))
  }

  override onattribend(): void {
    const isKept = this.#isName && this.#value !== '' && this.names.size <= MAX_NAMES
    if (isKept) this.names.add(detachedCopy(this.#value))
    this.#isName = false
  }

  #add(text: string): void {
    if (this.#value.length < MAX_NAME) this.#value += text
  }
}
