import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { ForeignDepth } from './foreign-depth.ts'

/**
 * Reads a page token by token, without building a tree. Subclasses override the callbacks of the tokens that they need.
 * Positions are indexes in the page. Never throws.
 */
export abstract class TokenReader implements TokenizerCallbacks {
  protected readonly html: string
  /** Subclasses report the tags to it, so that the tokenizer knows where SVG and MathML are. */
  protected readonly foreign = new ForeignDepth()

  constructor(html: string) {
    this.html = html
  }

  /** Reads the whole page. @param xmlMode true for XML */
  read(xmlMode = false): void {
    // The Parser of htmlparser2 would search the stack of open elements for each end tag: a page could make that slow.
    const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode }, this)
    tokenizer.write(this.html)
    tokenizer.end()
  }

  isInForeignContext(): boolean {
    return this.foreign.isForeign
  }

  onattribdata(_start: number, _end: number): void {}
  onattribend(_quote: number): void {}
  onattribentity(_codepoint: number): void {}
  onattribname(_start: number, _end: number): void {}
  oncdata(): void {}
  onclosetag(_start: number, _end: number): void {}
  oncomment(): void {}
  ondeclaration(_start: number, _end: number): void {}
  onend(): void {}
  onopentagend(_end: number): void {}
  onopentagname(_start: number, _end: number): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(_end: number): void {}
  ontext(_start: number, _end: number): void {}
  ontextentity(_codepoint: number): void {}
}
