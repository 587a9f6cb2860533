import { encodingOf } from '../html/charset/decode-page.ts'
import { scriptContent } from '../html/loaded-assets/script-urls.ts'
import { PRESCANNED } from '../html/reference-scanner/prescan.ts'
import { TokenReader } from '../html/token-reader.ts'
import { cssLinkEdits } from './css-edits.ts'
import { importMapEdits, scriptLinkEdits } from './script-edits.ts'
import { type Attribute, tagEdits, valueEdit } from './tag-edits.ts'
import { applyEdits, type LinkRewriter, type TextEdit } from './text-edits.ts'

/** The byte order mark of UTF-8, with one character per byte. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/

/** Matches the start of a tag that may change the base of a page's links. */
const BASE = /<base[\s/]/i

/** Maximum attributes of a tag. Further ones are left as they are. */
const MAX_ATTRIBUTES = 1_000

/** Returns the edits of a style or a script. */
type ContentEdits = (content: string, relink: LinkRewriter) => TextEdit[]

/** Options for reading a page and rewriting its links. */
export interface HtmlRewrite {
  /** Returns the function that replaces references, given the `href` of the first `<base>`. */
  readonly rewriterFor: (baseHref: string | undefined) => LinkRewriter
  /** Decodes a piece of the page's text, in which characters may stand for bytes. */
  readonly decode: (piece: string) => string
  /** The encoding to declare in the page, since no server will send it; undefined for XML. */
  readonly charset: string | undefined
}

/**
 * Returns the edits that make an HTML page, or XML with HTML's links, work as a file. Never throws.
 */
export function htmlEdits(html: string, reading: HtmlRewrite): TextEdit[] {
  const baseHref = BASE.test(html) ? readTags(html, reading, () => undefined).baseHref : undefined
  return readTags(html, reading, reading.rewriterFor(baseHref)).finish()
}

function readTags(html: string, reading: HtmlRewrite, relink: LinkRewriter): TagReader {
  const reader = new TagReader(html, reading, relink)
  reader.read()
  return reader
}

/** Collects the edits of a page tag by tag. */
class TagReader extends TokenReader {
  baseHref: string | undefined
  readonly #reading: HtmlRewrite
  readonly #relink: LinkRewriter
  readonly #edits: TextEdit[] = []
  #attributes: Attribute[] = []
  #nameStart = 0
  #nameEnd = 0
  #value = ''
  #valueEnd = 0
  /** Start of the content of the open style or script, and the function that finds its edits. */
  #content: { readonly start: number; readonly editsOf: ContentEdits } | undefined
  /** Position for a declaration of the encoding: as early as possible without changing the page. */
  #headStart: number
  #isBeforeHead = true
  #declared: string | undefined
  /** True for the page in a `srcdoc`. */
  #isInner = false

  constructor(html: string, reading: HtmlRewrite, relink: LinkRewriter) {
    super(html, reading.charset === undefined)
    this.#reading = reading
    this.#relink = relink
    this.#headStart = BYTE_ORDER_MARK.exec(html)?.[0].length ?? 0
  }

  finish(): TextEdit[] {
    const { charset } = this.#reading
    if (charset === undefined || this.#declared === charset) return this.#edits
    const text = `<meta charset="${charset}">`
    return [...this.#edits, { start: this.#headStart, end: this.#headStart, text }]
  }

  protected override onTagName(): void {
    this.#attributes = []
  }

  override onattribname(start: number, end: number): void {
    this.#nameStart = start
    this.#nameEnd = end
    this.#value = ''
  }

  override onattribdata(start: number, end: number): void {
    this.#value += this.#reading.decode(this.html.slice(start, end))
    this.#valueEnd = end
  }

  override onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint)
  }

  /** @param quote 0 without a value, 1 for a value without quotes */
  override onattribend(quote: number): void {
    if (this.#attributes.length >= MAX_ATTRIBUTES) return
    const name = this.html.slice(this.#nameStart, this.#nameEnd).toLowerCase()
    const valueEnd = quote === 0 ? this.#nameEnd : this.#valueEnd
    const valueStart = quote === 0 ? valueEnd : this.#startOfValue(quote > 1)
    const place = { start: this.#nameStart, valueStart, valueEnd, isQuoted: quote > 1 }
    this.#attributes.push({ name, value: this.#value, ...place })
  }

  protected override onStartTag(end: number, isEmpty: boolean): void {
    for (const edit of tagEdits(this.tag, this.#attributes, this.#relink)) this.#edits.push(edit)
    if (this.tag === 'iframe') this.#editInnerPage()
    const editsOf = isEmpty ? undefined : this.#contentEdits()
    this.#content = editsOf && { start: end + 1, editsOf }
    if (this.tag === 'html' || this.tag === 'head') this.#moveHeadStart(end)
    if (this.tag !== 'html') this.#isBeforeHead = false
    // Some browsers ignore a later declaration.
    if (this.tag === 'meta' && end < PRESCANNED)
      this.#declared ??= declaredEncoding(this.#attributes)
    if (this.tag === 'base') this.baseHref ??= valueIn(this.#attributes, 'href')
  }

  /**
   * Edits the page in a `srcdoc`, whose links are relative to this page unless it has a `<base>`. A page inside of that
   * page stays as it is.
   */
  #editInnerPage(): void {
    const attribute = this.#attributes.find(({ name }) => name === 'srcdoc')
    if (attribute === undefined || this.#isInner || BASE.test(attribute.value)) return
    const { value } = attribute
    const inner = new TagReader(value, { ...this.#reading, decode: (piece) => piece }, this.#relink)
    inner.#isInner = true
    inner.read()
    if (inner.#edits.length === 0) return
    this.#edits.push(valueEdit(attribute, applyEdits(value, inner.#edits)))
  }

  /** Returns the function that finds the edits of the content after the open tag. */
  #contentEdits(): ContentEdits | undefined {
    if (this.tag === 'style') return cssLinkEdits
    if (this.tag !== 'script' || valueIn(this.#attributes, 'src') !== undefined) return undefined
    const content = scriptContent(valueIn(this.#attributes, 'type'))
    return content === 'script' ? scriptLinkEdits : content && importMapEdits
  }

  protected override onEndTag(_: string, start: number): void {
    this.#endContent(start)
  }

  /** A style element that isn't closed goes on to the end of the page. */
  override onend(): void {
    this.#endContent(this.html.length)
  }

  #endContent(end: number): void {
    if (this.#content === undefined) return
    const { start: from, editsOf } = this.#content
    this.#content = undefined
    const relink: LinkRewriter = (url) => this.#relink(this.#reading.decode(url))
    for (const { start, end: to, text } of editsOf(this.html.slice(from, end), relink)) {
      this.#edits.push({ start: from + start, end: from + to, text })
    }
  }

  override ondeclaration(_: number, end: number): void {
    this.#moveHeadStart(end)
  }

  #moveHeadStart(end: number): void {
    if (this.#isBeforeHead) this.#headStart = end + 1
  }

  #startOfValue(isQuoted: boolean): number {
    const value = /\s*=\s*/y
    value.lastIndex = this.#nameEnd
    value.test(this.html)
    return value.lastIndex + (isQuoted ? 1 : 0)
  }
}

/** Returns the WHATWG name of the encoding that a `<meta>` declares; empty for an unknown label. */
function declaredEncoding(attributes: readonly Attribute[]): string | undefined {
  const isType = valueIn(attributes, 'http-equiv')?.toLowerCase() === 'content-type'
  const content = isType ? (valueIn(attributes, 'content') ?? '') : ''
  const [, inContent] = /charset\s*=\s*["']?([^\s"';]+)/i.exec(content) ?? []
  const label = valueIn(attributes, 'charset') ?? inContent
  return label === undefined ? undefined : (encodingOf(label) ?? '')
}

function valueIn(attributes: readonly Attribute[], name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value
}
