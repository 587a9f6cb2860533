import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/**
 * Reads a page token by token, without building a tree. Subclasses override `onTagName`, `onStartTag` and `onEndTag`, and
 * the tokenizer's own callbacks for other tokens. Positions are indexes in the page. Never throws.
 */
export abstract class TokenReader implements TokenizerCallbacks {
  protected readonly html: string
  /** The name of the current start tag, or else of the last one, in lower case. */
  protected tag = ''
  readonly #isXml: boolean
  /** Number of open `<svg>` and `<math>`. This is an approximation: HTML inside SVG counts as SVG, too. */
  #foreignDepth = 0

  constructor(html: string, isXml = false) {
    this.html = html
    this.#isXml = isXml
  }

  /** Reads the whole page. */
  read(): void {
    // The Parser of htmlparser2 would search the stack of open elements for each end tag: a page could make that slow.
    const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: this.#isXml }, this)
    tokenizer.write(this.html)
    tokenizer.end()
  }

  /**
   * In SVG and MathML, `<style>`, `<title>` and the like contain markup, and CDATA sections exist. The tokenizer asks for
   * that.
   */
  isInForeignContext(): boolean {
    return this.#foreignDepth > 0
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase()
    this.onTagName()
  }

  onopentagend(end: number): void {
    this.onStartTag(end, false)
    if (isForeignRoot(this.tag)) this.#foreignDepth++
  }

  /** In HTML, the slash of `<style/>` has no meaning. */
  onselfclosingtag(end: number): void {
    this.onStartTag(end, this.#isXml || this.isInForeignContext())
  }

  onclosetag(start: number, end: number): void {
    const tag = this.html.slice(start, end).toLowerCase()
    if (this.#foreignDepth > 0 && isForeignRoot(tag)) this.#foreignDepth--
    this.onEndTag(tag, start - '</'.length)
  }

  onattribdata(_start: number, _end: number): void {}
  onattribend(_quote: number): void {}
  onattribentity(_codepoint: number): void {}
  onattribname(_start: number, _end: number): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(_start: number, _end: number): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(_start: number, _end: number): void {}
  ontextentity(_codepoint: number): void {}

  /** Called after the name of a start tag, before its attributes. */
  protected onTagName(): void {}

  /**
   * @param end index of the tag's `>`
   * @param isEmpty true if a slash before it ends the element
   */
  protected onStartTag(_end: number, _isEmpty: boolean): void {}

  /**
   * @param tag its name in lower case
   * @param start index of its `<`
   */
  protected onEndTag(_tag: string, _start: number): void {}
}

/** Returns whether an element's content is SVG or MathML. */
function isForeignRoot(tag: string): boolean {
  return tag === 'svg' || tag === 'math'
}
