/**
 * Roughly where SVG and MathML begin and end: there `<title>`, `<style>` and `<script>` hold no raw
 * text and CDATA sections exist. Exact for elements that are closed properly; HTML elements inside
 * integration points are not tracked.
 */
export class ForeignContent {
  readonly #open: string[] = []
  #beyond = 0

  /** Whether the next start tag makes an SVG or MathML element (or leaves them: `opens`). */
  get isForeign(): boolean {
    const top = this.#open.at(-1)
    return top !== undefined && !INTEGRATION_POINTS.has(top)
  }

  get allowsCdata(): boolean {
    const top = this.#open.at(-1)
    return top !== undefined && top !== 'foreignobject' && top !== HTML_ANNOTATION
  }

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  push(name: string): void {
    if (this.#open.length < MAX_DEPTH) this.#open.push(name)
    else this.#beyond++
  }

  /** An HTML element that cannot stand in SVG or MathML ends them, up to an integration point. */
  breakOut(): void {
    this.#beyond = 0
    while (this.isForeign) this.#open.pop()
  }

  endTag(name: string): void {
    if (this.#beyond > 0) {
      this.#beyond--
      return
    }
    const at = this.#open.findLastIndex((open) => open === name || open === `${name}+html`)
    if (at >= 0) this.#open.length = at
    else if (BREAKOUT.has(name) || CLOSERS.has(name)) this.breakOut()
  }
}
/** Deeper elements are only counted, so that an end tag costs no more than this. */
const MAX_DEPTH = 256

export const HTML_ANNOTATION = 'annotation-xml+html'

const INTEGRATION_POINTS = new Set([
  'foreignobject',
  'desc',
  'title',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
  HTML_ANNOTATION,
])

/** HTML standard, "rules for parsing tokens in foreign content". */
export const BREAKOUT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

/** Further HTML elements whose end tag closes an SVG left open inside them. */
const CLOSERS: ReadonlySet<string> = new Set(
  (
    'a html article aside button caption figure footer form header label main nav section td th ' +
    'tr tbody thead tfoot template'
  ).split(' '),
)
