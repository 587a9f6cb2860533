/** Renders in a row without a new URL after which the pages of a template are not rendered any more. */
const ENOUGH = 3

/** The state of a template, as it is stored. */
export interface TemplateState {
  /** Pages so far. */
  readonly pages: number
  /** Renders without a new URL since the last one that had one. */
  readonly barren: number
  readonly isStatic: boolean
}

/** The decision on a page: `static` pages are not rendered, `wait` depends on renders under way. */
export type RenderDecision = 'render' | 'static' | 'wait'

/** Pages that are likely to behave alike in a browser, and whether rendering them has brought anything. */
export class PageTemplate {
  #pages = 0
  #barren = 0
  #isStatic = false
  /** Renders under way. */
  #pending = 0
  /** Renders in a row that brought new URLs. */
  #fruitful = 0

  constructor(state?: TemplateState) {
    if (state === undefined) return
    this.#pages = state.pages
    this.#barren = state.barren
    this.#isStatic = state.isStatic
  }

  /** Returns one template in place of several: static if all were. */
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
   * Decides on the next page: the first ones are rendered until enough of them in a row have brought nothing, then
   * those at powers of two. `wait` if that depends on renders under way.
   */
  decide(): RenderDecision {
    if (!this.#isStatic && this.#pending >= this.#allowed) return 'wait'
    this.#pages++
    if (this.#isStatic && !isPowerOfTwo(this.#pages)) return 'static'
    this.#pending++
    return 'render'
  }

  /** Takes in how many new URLs a render has brought; undefined if it didn't come to an end. */
  learn(gain: number | undefined): void {
    // A template that was stored knows of none under way.
    this.#pending = Math.max(0, this.#pending - 1)
    if (gain === undefined) return
    if (gain > 0) {
      this.#barren = 0
      this.#fruitful++
      this.#isStatic = false
    } else {
      this.#barren++
      this.#fruitful = 0
      this.#isStatic ||= this.#barren >= ENOUGH
    }
  }

  /** Renders that may be under way: more and more as long as each brings something. */
  get #allowed(): number {
    return this.#barren > 0 ? ENOUGH - this.#barren : Math.max(ENOUGH, 2 * this.#fruitful)
  }
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0
}
