/** An open element of SVG or MathML. */
interface Foreign {
  readonly name: string
  readonly namespace: string
  /** True if it is an integration point, which may contain HTML. */
  readonly isPoint: boolean
}

/**
 * Tracks roughly where SVG and MathML begin and end. Inside them, `<title>`, `<style>` and `<script>` don't contain raw
 * text, and CDATA sections exist. The result is exact for elements that are closed properly. HTML elements inside
 * integration points are not tracked.
 */
export class ForeignContent {
  /** True if any SVG or MathML element is open. */
  isOpen = false
  /** True if the next start tag is SVG or MathML, too. False in an integration point. */
  isForeign = false
  readonly #open: Foreign[] = []
  /** Number of open elements that are too deep to be kept. */
  #beyond = 0

  get allowsCdata(): boolean {
    const name = this.#open.at(-1)?.name
    return name !== undefined && name !== 'foreignobject' && name !== 'annotation-xml'
  }

  /** @param containsHtml whether an attribute of the tag makes it an integration point, as with `<annotation-xml>` */
  push(name: string, containsHtml: boolean): void {
    const parent = this.#open.at(-1)
    const inherits = this.isForeign && !(name === 'svg' && parent?.name === 'annotation-xml')
    const namespace = inherits ? (parent?.namespace ?? name) : name
    const isPoint =
      (containsHtml && namespace === 'math') || INTEGRATION_POINTS[namespace]?.has(name) === true
    if (this.#open.length < MAX_DEPTH) this.#open.push({ name, namespace, isPoint })
    else this.#beyond++
    this.#update()
  }

  /** Closes all elements inside the innermost integration point, before an HTML tag that can't be in SVG or MathML. */
  breakOut(): void {
    this.#beyond = 0
    this.#closeFrom(this.#open.findLastIndex(({ isPoint }) => isPoint) + 1)
  }

  endTag(tag: string): void {
    if (this.#beyond > 0) {
      this.#beyond--
      return
    }
    const at = this.#open.findLastIndex(({ name }) => name === tag)
    if (at >= 0) this.#closeFrom(at)
    else if (BREAKOUT.has(tag) || CLOSERS.has(tag)) this.breakOut()
  }

  #closeFrom(depth: number): void {
    this.#open.length = depth
    this.#update()
  }

  #update(): void {
    const top = this.#open.at(-1)
    this.isOpen = top !== undefined
    this.isForeign = top?.isPoint === false
  }
}

/** Maximum number of open elements that are kept. Deeper ones are only counted, so that each end tag is cheap. */
const MAX_DEPTH = 256

export const INTEGRATION_POINTS: Readonly<Record<string, ReadonlySet<string>>> = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
}

/** HTML tags that end SVG and MathML (HTML standard, "rules for parsing tokens in foreign content"). */
export const BREAKOUT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

/** Further HTML elements whose end tag closes an SVG element that was left open inside them. */
export const CLOSERS: ReadonlySet<string> = new Set(
  (
    'a html article aside button caption figure footer form header label main nav section td th ' +
    'tr tbody thead tfoot template'
  ).split(' '),
)
