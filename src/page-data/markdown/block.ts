import type { MarkdownRule } from './markdown-node.ts'

/** Elements that Turndown treats like `<b>`, although browsers show each in a line of its own. */
const BLOCKS: ReadonlySet<string> = new Set([
  'DETAILS',
  'SUMMARY',
  'LEGEND',
  'DIALOG',
  'SEARCH',
  'OPTGROUP',
  'SELECT',
])

/** Writes an element as a paragraph. */
export const block: MarkdownRule = {
  filter: ({ nodeName }) => BLOCKS.has(nodeName),
  replacement: (content) => `\n\n${content.trim()}\n\n`,
}

/** Writes a list that doesn't begin with 1 after a blank line, since it would be text in the paragraph before it. */
export const numberedList: MarkdownRule = {
  filter: (node) => node.nodeName === 'OL' && (node.getAttribute('start') ?? '1') !== '1',
  replacement: (content) => `\n\n${content}\n\n`,
}
