/** The `nodeType` of elements and of texts. */
const ELEMENT_NODE = 1
export const TEXT_NODE = 3
/** Matches the names of headings. */
export const HEADING = /^H[1-6]$/
/** Maximum number of characters of a content that is kept; a longer one is composed again when it is needed. */
const MAX_KEPT_CONTENT = 256

export type Attributes = Readonly<Record<string, string>>

/** Returns whether an element is of some kind. */
export type ElementFilter = (element: MarkdownNode) => boolean

/** A rule that converts elements to Markdown. */
export interface MarkdownRule {
  /** Returns whether the rule converts an element. */
  readonly filter: ElementFilter
  /** Returns the Markdown of an element, from that of its content. */
  readonly replacement: (content: string, node: MarkdownNode) => string
}

/** An element or a text, with the parts of the DOM that Turndown and the rules need. */
export class MarkdownNode {
  readonly nodeType: number
  /** As in the DOM: in capitals for elements of HTML, and as written for those of SVG and MathML. */
  readonly nodeName: string
  /** The text; empty for elements. Turndown collapses white space in it. */
  data: string
  /** Set by Turndown: whether the node is in a code span, or is one. */
  isCode?: boolean
  /** Set by Turndown: the white space at the edges of the text, which it writes outside of the element's Markdown. */
  flankingWhitespace = { leading: '', trailing: '' }
  parentNode: MarkdownNode | null = null
  previousSibling: MarkdownNode | null = null
  nextSibling: MarkdownNode | null = null
  firstChild: MarkdownNode | null = null
  lastChild: MarkdownNode | null = null
  readonly #attributes: Record<string, string>
  #content: string | undefined
  /** The elements among the children, which Turndown searches for each entry of a list. */
  #elements: MarkdownNode[] | undefined

  private constructor(nodeType: number, nodeName: string, data: string, attributes: Attributes) {
    this.nodeType = nodeType
    this.nodeName = nodeName
    this.data = data
    this.#attributes = { ...attributes }
  }

  static element(nodeName: string, attributes: Attributes): MarkdownNode {
    return new MarkdownNode(ELEMENT_NODE, nodeName, '', attributes)
  }

  static text(data: string): MarkdownNode {
    return new MarkdownNode(TEXT_NODE, '#text', data, {})
  }

  get nodeValue(): string {
    return this.data
  }

  get className(): string {
    return this.getAttribute('class') ?? ''
  }

  get childNodes(): MarkdownNode[] {
    const nodes = []
    for (let node = this.firstChild; node !== null; node = node.nextSibling) nodes.push(node)
    return nodes
  }

  get children(): readonly MarkdownNode[] {
    this.#elements ??= this.childNodes.filter(isElement)
    return this.#elements
  }

  get lastElementChild(): MarkdownNode | null {
    return this.children.at(-1) ?? null
  }

  get nextElementSibling(): MarkdownNode | null {
    let node = this.nextSibling
    while (node !== null && !isElement(node)) node = node.nextSibling
    return node
  }

  /** Turndown reads it for each node, but only once it has collapsed the white space. */
  get textContent(): string {
    if (!isElement(this)) return this.data
    if (this.#content !== undefined) return this.#content
    let content = ''
    for (let node = this.firstChild; node !== null; node = node.nextSibling)
      content += node.textContent
    if (content.length <= MAX_KEPT_CONTENT) this.#content = content
    return content
  }

  getAttribute(name: string): string | null {
    return Object.hasOwn(this.#attributes, name) ? (this.#attributes[name] ?? null) : null
  }

  setAttribute(name: string, value: string): void {
    this.#attributes[name] = value
  }

  getElementsByTagName(name: string): MarkdownNode[] {
    return this.descendants(hasNameOf(name))
  }

  /** Returns the elements inside that are wanted, in the order of their start tags. */
  descendants(isWanted: ElementFilter): MarkdownNode[] {
    const found: MarkdownNode[] = []
    this.contains((element) => {
      if (isWanted(element)) found.push(element)
      return false
    })
    return found
  }

  /** Returns whether an element inside is wanted. */
  contains(isWanted: ElementFilter): boolean {
    for (let node = this.firstChild; node !== null; node = node.nextSibling) {
      if (isElement(node) && (isWanted(node) || node.contains(isWanted))) return true
    }
    return false
  }

  /** Returns the node itself: Turndown changes a copy, but each tree is converted only once. */
  cloneNode(): this {
    return this
  }

  append(node: MarkdownNode): void {
    this.#elements = undefined
    node.parentNode = this
    node.previousSibling = this.lastChild
    if (this.lastChild === null) this.firstChild = node
    else this.lastChild.nextSibling = node
    this.lastChild = node
  }

  removeChild(node: MarkdownNode): void {
    this.#elements = undefined
    const { previousSibling: before, nextSibling: after } = node
    if (before === null) this.firstChild = after
    else before.nextSibling = after
    if (after === null) this.lastChild = before
    else after.previousSibling = before
  }
}

function isElement({ nodeType }: MarkdownNode): boolean {
  return nodeType === ELEMENT_NODE
}

/** Returns a function that tells whether an element has one of these classes. */
export function hasClassOf(names: readonly string[]): ElementFilter {
  const pattern = new RegExp(`(?:^|\\s)(?:${names.join('|')})(?:\\s|$)`)
  return ({ className }) => className !== '' && pattern.test(className)
}

/** Returns a function that tells whether an element has one of these names. */
export function hasNameOf(...names: readonly string[]): ElementFilter {
  return ({ nodeName }) => names.includes(nodeName)
}

export function isLink(element: MarkdownNode): boolean {
  return element.nodeName === 'A' && element.getAttribute('href') !== null
}
