import { compile, type FormatCallback, type SelectorDefinition } from 'html-to-text'
import { SKIPPED_ELEMENTS } from './skipped-elements.ts'

/** Maximum depth of elements, equal to that of browsers. */
const MAX_DEPTH = 512

/** Elements that the converter treats like `<b>`, although browsers show each in a line or a cell of its own. */
const SEPARATE_ELEMENTS =
  `address caption center dd details dialog dl dt fieldset figcaption figure hgroup legend li menu optgroup option search
  summary td th`.split(/\s+/)
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const selectors: SelectorDefinition[] = [
  ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'a', options: { ignoreHref: true } },
  ...SEPARATE_ELEMENTS.map((selector) => ({ selector, format: 'separate' })),
  ...['img', ...SKIPPED_ELEMENTS].map((selector) => ({ selector, format: 'skip' })),
]

/** Writes white space around an element. It is collapsed with white space that is already there. */
const separate: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
  builder.addInline(' ')
}

/** Returns the text of a page as a reader sees it: paragraphs, headings and lists, in lines of any length. */
export const readableText: (html: string) => string = compile({
  wordwrap: false,
  formatters: { separate },
  selectors,
  // As in browsers, a zero-width space separates no words.
  whitespaceCharacters: ' \t\r\n\f',
  // The whole page: browsers also show what is before and after the `<body>`.
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
})
