/** Number of renders in a row without a new URL after which most pages of a template aren't rendered any more. */
const MIN_BARREN = 3

/** The state of a template, as it is stored. */
export interface TemplateState {
  /** Number of pages so far. */
  readonly pages: number
  /** Number of renders without a new URL since the last one with a new URL. */
  readonly barren: number
  readonly isStatic: boolean
}

/** The decision on a page: `static` pages are not rendered, `wait` depends on renders under way. */
export type RenderDecision = 'render' | 'static' | 'wait'

/** A group of pages that are likely to behave alike in a browser. Learns whether rendering them finds new URLs. */
export class PageTemplate {
  #pages = 0
  #barren = 0
  #isStatic = false
  /** Number of renders under way. */
  #pending = 0
  /** Number of renders in a row that found new URLs. */
  #fruitful = 0

  constructor(state?: TemplateState) {
    if (state === undefined) return
    this.#pages = state.pages
    this.#barren = state.barren
    this.#isStatic = state.isStatic
  }

  /** Returns one template in place of several. It is static if all of them were. */
  static merge(templates: readonly PageTemplate[]): PageTemplate {
    const merged = new PageTemplate({
      pages: templates.reduce((sum, { state }) => sum + state.pages, 0),
      barren: Math.min(...templates.map(({ state }) => state.barren)),
      isStatic: templates.every(({ state }) => state.isStatic),
    })
    merged.#pending = templates.reduce((sum, each) => sum + each.#pending, 0)
    return merged
  }

  get state(): TemplateState {
    return { pages: this.#pages, barren: this.#barren, isStatic: this.#isStatic }
  }

  /**
   * Decides on the next page. Pages are rendered until `MIN_BARREN` renders in a row have found no new URL. Then only
   * pages whose number is a power of two are rendered. Returns `wait` if the decision depends on renders under way.
   */
  decide(): RenderDecision {
    if (!this.#isStatic && this.#pending >= this.#allowed) return 'wait'
    this.#pages++
    if (this.#isStatic && !isPowerOfTwo(this.#pages)) return 'static'
    this.#pending++
    return 'render'
  }

  /** Learns from a render. @param gain number of new URLs that it found; undefined if it wasn't completed */
  learn(gain: number | undefined): void {
    // A template that was restored doesn't know of earlier renders under way.
    this.#pending = Math.max(0, this.#pending - 1)
    if (gain === undefined) return
    if (gain > 0) {
      this.#barren = 0
      this.#fruitful++
      this.#isStatic = false
    } else {
      this.#barren++
      this.#fruitful = 0
      this.#isStatic ||= this.#barren >= MIN_BARREN
    }
  }

  /** Maximum number of renders under way. It grows as long as each render finds new URLs. */
  get #allowed(): number {
    return this.#barren > 0 ? MIN_BARREN - this.#barren : Math.max(MIN_BARREN, 2 * this.#fruitful)
  }
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0
}
