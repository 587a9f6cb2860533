import { compile, type SelectorDefinition } from 'html-to-text'
import { SKIPPED_ELEMENTS } from './skipped-elements.ts'

/** Maximum depth of elements, equal to that of browsers. */
const MAX_DEPTH = 512

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const selectors: SelectorDefinition[] = [
  ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'a', options: { ignoreHref: true } },
  ...['img', ...SKIPPED_ELEMENTS].map((selector) => ({ selector, format: 'skip' })),
]

/** Returns the text of a page as a reader sees it: paragraphs, headings and lists, in lines of any length. */
export const readableText: (html: string) => string = compile({
  wordwrap: false,
  selectors,
  baseElements: { selectors: ['body'] },
  limits: { maxBaseElements: 1, maxDepth: MAX_DEPTH, ellipsis: '' },
})
