import { EXCLAMATION, GREATER, isLetter, QUESTION, SLASH } from '../../encoding/ascii.ts'
import { BREAKOUT, ForeignContent } from './foreign-content.ts'
import { after, endOfDeclaration } from './markup-declaration.ts'
import type { NameSet } from './name-set.ts'
import { type PageBytes, pageBytesOf } from './page-bytes.ts'
import { PageCollector, type ScannedPage, type ScanOptions } from './page-collector.ts'
import { endOfRawText } from './raw-text.ts'
import { MEDIA_END, RAW_TEXT_END, skim, TAGS, TAGS_AND_ASSETS } from './skim.ts'
import { StartTag } from './start-tag.ts'
import { endOfTag, endOfTagName } from './tag-end.ts'
import type { TextSamples } from './text-samples.ts'

/**
 * Reads the links and the head of a page in one pass. It follows the HTML standard's tokenizer, and builds no tree. It
 * takes linear time, and never throws. The body must be in an encoding whose bytes below 0x40 are ASCII.
 *
 * Without a tree, some results differ from a browser:
 * - A `<frame>` outside a frameset, and a tag that a `<select>` drops, count like all others.
 * - Links that a browser moves to the front of their table stay in place.
 * - Links that the parser opens twice count once.
 *
 * `<noscript>` is read as in a browser without scripts. The content of a `<template>` is not part of the page, unless
 * it is a declarative shadow root.
 */
export function scan(body: Buffer, options: ScanOptions): ScannedPage {
  return new Scanner(pageBytesOf(body), options).run()
}

class Scanner {
  readonly #page: PageBytes
  readonly #tag: StartTag
  readonly #parts: PageCollector
  readonly #tags: NameSet<string>
  readonly #samples: TextSamples | undefined
  readonly #foreign = new ForeignContent()
  /** Number of open templates. Their content is ignored. */
  #templates = 0

  constructor(page: PageBytes, options: ScanOptions) {
    this.#page = page
    this.#tag = new StartTag(page)
    this.#parts = new PageCollector(page, options)
    this.#tags = options.assets ? TAGS_AND_ASSETS : TAGS
    this.#samples = options.samples
    this.#samples?.begin(page)
  }

  run(): ScannedPage {
    let open = this.#next(0)
    while (open >= 0) {
      const end = this.#markup(open)
      open = end < 0 ? end : this.#next(end)
    }
    return this.#parts.page()
  }

  /** Returns the index of the next `<` that matters: each one inside SVG, MathML and templates, few elsewhere. */
  #next(from: number): number {
    const every = this.#foreign.isOpen || this.#templates > 0
    return every
      ? this.#page.text.indexOf('<', from)
      : skim(this.#page, from, this.#tags, this.#samples)
  }

  /** Handles the markup that starts at `open`. Returns the index after it; -1 if the page ends before. */
  #markup(open: number): number {
    const { bytes, text } = this.#page
    const byte = bytes[open + 1] ?? 0
    if (isLetter(byte)) return this.#startTag(open + 1)
    if (byte === SLASH) return this.#endTag(open + 2)
    if (byte === EXCLAMATION) return endOfDeclaration(text, open, this.#foreign.allowsCdata)
    if (byte === QUESTION) return after(text, '>', open + 2)
    return open + 1
  }

  #endTag(start: number): number {
    const { bytes, text } = this.#page
    if (!isLetter(bytes[start] ?? 0)) return after(text, '>', start)
    const nameEnd = endOfTagName(bytes, start)
    const end = bytes[nameEnd] === GREATER ? nameEnd + 1 : endOfTag(bytes, nameEnd)
    if (end < 0) return end
    if (this.#foreign.isOpen) this.#foreign.endTag(text.slice(start, nameEnd).toLowerCase())
    if (this.#templates > 0 && this.#tags.at(bytes, start, nameEnd) === 'template')
      this.#templates--
    return end
  }

  #startTag(start: number): number {
    const { bytes } = this.#page
    const nameEnd = endOfTagName(bytes, start)
    if (this.#foreign.isForeign) return this.#foreignTag(start, nameEnd)
    return this.#htmlTag(start, nameEnd)
  }

  #htmlTag(start: number, nameEnd: number): number {
    const { bytes } = this.#page
    const word = this.#tags.indexAt(bytes, start, nameEnd)
    const name = this.#tags.names[word]
    if (name === undefined)
      return bytes[nameEnd] === GREATER ? nameEnd + 1 : endOfTag(bytes, nameEnd)
    const end = this.#tag.read(nameEnd)
    if (end < 0) return end
    if (word < RAW_TEXT_END) return this.#rawText(name, end)
    if (name === 'template') this.#template()
    else if (name === 'svg' || name === 'math') {
      if (!this.#tag.selfClosing) this.#foreign.push(name, false)
    } else if (this.#templates === 0) {
      if (word < MEDIA_END) this.#samples?.media(nameEnd, end)
      this.#parts.add(name, this.#tag)
    }
    return end
  }

  #rawText(name: string, start: number): number {
    const end = endOfRawText(this.#page, start, name)
    if (this.#templates > 0) return end
    if (name === 'title') {
      this.#samples?.title(start, end)
      this.#parts.addTitle(this.#page.text, start, end)
    } else this.#parts.add(name, this.#tag)
    return end
  }

  /** Counts a template, unless it is a declarative shadow root, whose content is part of the page. */
  #template(): void {
    const mode = this.#tag.raw('shadowrootmode')?.toLowerCase()
    if (this.#templates > 0 || (mode !== 'open' && mode !== 'closed')) this.#templates++
  }

  #foreignTag(start: number, nameEnd: number): number {
    const name = this.#page.text.slice(start, nameEnd).toLowerCase()
    const end = this.#tag.read(nameEnd)
    if (end < 0) return end
    if (BREAKOUT.has(name) || (name === 'font' && this.#hasFontAttribute())) {
      this.#foreign.breakOut()
      return this.#htmlTag(start, nameEnd)
    }
    if (this.#templates === 0) this.#parts.addForeign(name, this.#tag)
    if (!this.#tag.selfClosing) this.#foreign.push(name, this.#isHtmlAnnotation(name))
    return end
  }

  #hasFontAttribute(): boolean {
    return (['color', 'face', 'size'] as const).some((name) => this.#tag.raw(name) !== undefined)
  }

  #isHtmlAnnotation(name: string): boolean {
    if (name !== 'annotation-xml') return false
    const encoding = this.#tag.raw('encoding')?.toLowerCase()
    return encoding === 'text/html' || encoding === 'application/xhtml+xml'
  }
}
