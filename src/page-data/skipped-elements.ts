import { LINE_NUMBER_CLASSES } from './code-listings.ts'

/** Elements that are left out: those without readable text, those whose text is on every page, and the title. */
export const SKIPPED_ELEMENTS =
  'title script style noscript template nav svg iframe canvas audio video'.split(' ')

/** Classes of elements that are left out: line numbers, formulas drawn with letters beside the MathML, and links of wikis to edit a section. */
export const SKIPPED_CLASSES = [
  ...LINE_NUMBER_CLASSES,
  ...['katex-html', 'mwe-math-fallback-image-inline', 'mwe-math-fallback-image-display'],
  'mw-editsection',
]
