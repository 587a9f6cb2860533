/**
 * Roughly where SVG and MathML begin and end: there `<title>`, `<style>` and `<script>` hold no raw
 * text and CDATA sections exist. Exact for elements that are closed properly; HTML elements inside
 * integration points are not tracked.
 */
export class ForeignContent {
  /** Whether any SVG or MathML element is open. */
  isOpen = false
  /** Whether the next start tag is foreign, too: false in an integration point. */
  isForeign = false
  readonly #open: string[] = []
  #beyond = 0

  get allowsCdata(): boolean {
    const top = this.#open.at(-1)
    return top !== undefined && top !== 'foreignobject' && top !== HTML_ANNOTATION
  }

  push(name: string): void {
    if (this.#open.length < MAX_DEPTH) this.#open.push(name)
    else this.#beyond++
    this.#update()
  }

  /** An HTML element that cannot stand in SVG or MathML ends them, up to an integration point. */
  breakOut(): void {
    this.#beyond = 0
    const at = this.#open.findLastIndex((open) => INTEGRATION_POINTS.has(open))
    this.#closeFrom(at + 1)
  }

  endTag(name: string): void {
    if (this.#beyond > 0) {
      this.#beyond--
      return
    }
    const at = this.#open.findLastIndex((open) => open === name || open === `${name}+html`)
    if (at >= 0) this.#closeFrom(at)
    else if (BREAKOUT.has(name) || CLOSERS.has(name)) this.breakOut()
  }

  #closeFrom(depth: number): void {
    this.#open.length = depth
    this.#update()
  }

  #update(): void {
    const top = this.#open.at(-1)
    this.isOpen = top !== undefined
    this.isForeign = top !== undefined && !INTEGRATION_POINTS.has(top)
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
