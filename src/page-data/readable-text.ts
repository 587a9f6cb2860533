import { compile, type DomNode, type FormatCallback, type SelectorDefinition } from 'html-to-text'
import { LINE_NUMBER_CLASSES_IN_CODE, LINE_NUMBERS, withDoxygenCode } from './code-listings.ts'
import { elementText } from './element-text.ts'
import { isPermalink } from './permalink.ts'
import { SKIPPED_CLASSES, SKIPPED_ELEMENTS } from './skipped-elements.ts'

/** Maximum depth of elements, equal to that of browsers. */
const MAX_DEPTH = 512
/** A line break that parsers of HTML read as `\n` (HTML standard, "Preprocessing the input stream"). */
const LINE_BREAK = /\r\n?/g

/** A node with a link that the types lack. */
interface LinkedNode extends DomNode {
  readonly next?: LinkedNode | null
}

/** Elements that the converter treats like `<b>`, although browsers show each in a line of its own. */
const LINES =
  `address caption center dd details dialog dl dt fieldset figcaption figure hgroup legend li menu search summary
  tr [role=row]`.split(/\s+/)
const HEADING_TAG = /<(\/?)h([1-6])(?![^\s/>])/gi
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const SKIPPED = [
  ...['img', '[role=navigation]', ...SKIPPED_ELEMENTS],
  ...SKIPPED_CLASSES.map((name) => `.${name}`),
]
const selectors: SelectorDefinition[] = [
  ...HEADINGS.map((selector) => ({
    selector,
    options: { uppercase: false, leadingLineBreaks: 2 },
  })),
  { selector: 'a', format: 'link' },
  { selector: 'button', format: 'button' },
  ...LINES.map((selector) => ({ selector, format: 'line' })),
  ...['optgroup', 'option', 'textarea'].map((selector) => ({
    selector,
    format: 'separate',
  })),
  ...['td', 'th', '[role=cell]', '[role=columnheader]'].map((selector) => ({
    selector,
    format: 'cell',
  })),
  { selector: 'pre', format: 'code' },
  ...LINE_NUMBER_CLASSES_IN_CODE.map((name) => ({ selector: `.${name}`, format: 'codePart' })),
  { selector: 'math', format: 'math' },
  ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
]

/** Writes an element in lines of its own. */
const line: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** Writes white space around an element. It is collapsed with white space that is already there. */
const separate: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
  builder.addInline(' ')
}

/** Writes the text of a button, unless it copies the code that it is in. */
const button: FormatCallback = (element, ...others) => {
  if (element.parent?.name !== 'pre') separate(element, ...others)
}

/** Writes a cell in the line of its row, even if its content is a paragraph. */
const cell: FormatCallback = (element, ...others) => {
  const content = element.children.filter(({ type, data }) => type !== 'text' || data?.trim())
  const [only = element] = content
  separate(content.length === 1 && only.name === 'p' ? only : element, ...others)
}

/** Writes a link, unless it only leads to the place where it is. */
const link: FormatCallback = (element, walk, builder) => {
  if (isPermalink(element.attribs.href ?? '', elementText(element))) return
  walk(element.children, builder)
}

/** Writes code, and leaves out line numbers in a cell before it. */
const code: FormatCallback = (element, walk, builder) => {
  if (LINE_NUMBERS.test(elementText(element)) && isBeforeCode(element)) return
  builder.openBlock({ isPre: true, leadingLineBreaks: 2 })
  const { children } = element
  const isBreak = ({ type, data }: DomNode, at: number) =>
    type === 'text' && !data?.trim() && children[at - 1]?.name === 'div'
  walk(
    children.filter((node, at) => !isBreak(node, at)),
    builder,
  )
  builder.closeBlock({ trailingLineBreaks: 2 })
}

/** Writes a part of code, unless it is the number of a line. */
const codePart: FormatCallback = (element, walk, builder) => {
  if (!LINE_NUMBERS.test(elementText(element))) walk(element.children, builder)
}

/** Returns whether an element is in a cell before a cell with code. */
function isBeforeCode({ parent }: DomNode): boolean {
  const own: LinkedNode | undefined = parent?.name === 'td' ? parent : parent?.parent
  if (own?.name !== 'td') return false
  let next = own.next
  while (next && next.name === undefined) next = next.next
  return Boolean(next && descendant(next, 'pre'))
}

/** Writes a formula as TeX if it has that, too. */
const math: FormatCallback = (element, walk, builder) => {
  const tex = descendant(element, 'annotation')
  if (tex?.attribs.encoding === 'application/x-tex') builder.addInline(`$${elementText(tex)}$`)
  else walk(element.children, builder)
}

function descendant(element: DomNode, name: string): DomNode | undefined {
  const pending = [element]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.name === name) return node
    for (const child of node.children ?? []) pending.push(child)
  }
  return undefined
}

const toText = compile({
  wordwrap: false,
  formatters: { line, separate, button, cell, link, code, codePart, math },
  selectors,
  // As in browsers, a zero-width space separates no words.
  whitespaceCharacters: ' \t\r\n\f',
  // The whole page: browsers also show what is before and after the `<body>`.
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
})

/** Returns the text of a page as a reader sees it: paragraphs, headings and lists, in lines of any length. */
export function readableText(html: string): string {
  return toText(withDoxygenCode(withPairedHeadings(html.replaceAll(LINE_BREAK, '\n'))))
}

/** Returns a page whose headings end with their own tags: the converter ignores `</h3>` after `<h2>`, and browsers don't. */
function withPairedHeadings(html: string): string {
  let open = ''
  return html.replaceAll(HEADING_TAG, (tag, slash: string, level: string) => {
    const name = slash === '' || open === '' ? level : open
    open = slash === '' ? level : ''
    return `${tag.slice(0, -1)}${name}`
  })
}
