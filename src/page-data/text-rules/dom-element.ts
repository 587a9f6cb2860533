/** The `nodeType` of texts. */
export const TEXT_NODE = 3
/** Matches the names of headings. */
export const HEADING = /^H[1-6]$/

/** The parts of a node of the DOM that rules for Markdown read. Its names of HTML elements are in capitals. */
export interface DomElement {
  readonly nodeName: string
  readonly nodeType: number
  /** Set for elements only. */
  readonly className?: string
  /** Set for texts and comments only. */
  readonly data?: string
  /** Set by Turndown: whether the element is in a code span, or is one. */
  readonly isCode?: boolean
  textContent: string | null
  readonly parentNode: DomElement | null
  readonly firstChild: DomElement | null
  readonly previousSibling: DomElement | null
  readonly nextSibling: DomElement | null
  readonly nextElementSibling: DomElement | null
  readonly children: ArrayLike<DomElement>
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): ArrayLike<DomElement>
}

/** A rule that converts elements to Markdown. */
export interface MarkdownRule {
  /** Returns whether the rule converts an element. */
  readonly filter: (node: DomElement) => boolean
  /** Returns the Markdown of an element, from that of its content. */
  readonly replacement: (content: string, node: DomElement) => string
}

/** Returns a function that tells whether an element has one of these classes. */
export function hasClassOf(names: readonly string[]): (node: DomElement) => boolean {
  const pattern = new RegExp(`(?:^|\\s)(?:${names.join('|')})(?:\\s|$)`)
  return ({ className = '' }) => className !== '' && pattern.test(className)
}
