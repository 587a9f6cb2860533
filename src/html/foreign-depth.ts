/**
 * Tells the tokenizer of htmlparser2 where a page has SVG or MathML. There, `<style>`, `<title>` and the like contain
 * markup, may end in `/>`, and CDATA sections exist. Roughly: HTML inside of SVG counts as SVG.
 */
export class ForeignDepth {
  /** Number of open `<svg>` and `<math>` elements. */
  #depth = 0

  get isForeign(): boolean {
    return this.#depth > 0
  }

  /** @param name lower case */
  startTag(name: string, isSelfClosing = false): void {
    if (!isSelfClosing && (name === 'svg' || name === 'math')) this.#depth++
  }

  /** @param name lower case */
  endTag(name: string): void {
    if (this.#depth > 0 && (name === 'svg' || name === 'math')) this.#depth--
  }
}
