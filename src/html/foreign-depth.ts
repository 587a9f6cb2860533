/**
 * Shows the tokenizer of htmlparser2 where a page has SVG or MathML. There, `<style>`, `<title>` and the like contain
 * markup, may end in `/>`, and CDATA sections exist. This is an approximation: HTML inside SVG counts as SVG, too.
 */
export class ForeignDepth {
  /** Number of open `<svg>` and `<math>` elements. */
  #depth = 0

  get isForeign(): boolean {
    return this.#depth > 0
  }

  /** Notes a start tag without a slash at its end. @param name lower case */
  startTag(name: string): void {
    if (name === 'svg' || name === 'math') this.#depth++
  }

  /** @param name lower case */
  endTag(name: string): void {
    if (this.#depth > 0 && (name === 'svg' || name === 'math')) this.#depth--
  }
}
