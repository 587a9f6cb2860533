import type { DomElement, MarkdownRule } from './dom-element.ts'

const CODE: ReadonlySet<string> = new Set(['TT', 'SAMP', 'KBD'])
const DELETED: ReadonlySet<string> = new Set(['DEL', 'S', 'STRIKE'])
const RAISED: ReadonlySet<string> = new Set(['SUB', 'SUP'])

/** Writes deleted text with tildes (GFM). */
export const deletion: MarkdownRule = {
  filter: ({ nodeName, isCode }) => DELETED.has(nodeName) && !isCode,
  replacement: (content) => (content.trim() === '' ? '' : `~~${content}~~`),
}

/** Keeps the tags of exponents and indexes, since 10<sup>5</sup> isn't 105. Marks of footnotes are links, and need none. */
export const raised: MarkdownRule = {
  filter: (node) => RAISED.has(node.nodeName) && !node.isCode && !node.querySelector('a, img'),
  replacement(content, { nodeName }) {
    const tag = nodeName.toLowerCase()
    return content.trim() === '' ? '' : `<${tag}>${content}</${tag}>`
  },
}

/** Writes the check boxes of a list of tasks (GFM). */
export const taskBox: MarkdownRule = {
  filter: (node) => node.getAttribute('type') === 'checkbox' && taskOf(node) !== undefined,
  replacement(_, node) {
    const box = node.getAttribute('checked') === null ? '[ ]' : '[x]'
    return taskOf(node)?.startsWith(' ') ? box : `${box} `
  },
}

/** Returns the text of the entry that a check box is in. */
function taskOf({ parentNode: label }: DomElement): string | undefined {
  const entry = label?.nodeName === 'LI' ? label : label?.parentNode
  return entry?.nodeName === 'LI' ? (entry.textContent ?? '') : undefined
}

/** Writes output and the like as code. In a code span, links would be text. */
export const codeSpan: MarkdownRule = {
  filter: (node) => CODE.has(node.nodeName) && !node.isCode && !node.querySelector('a[href], img'),
  replacement(_, node) {
    const code = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (code === '') return ''
    const runs: readonly string[] = code.match(/`+/g) ?? []
    const ticks = '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length), 0) + 1)
    const space = ticks === '`' ? '' : ' '
    return `${ticks}${space}${code}${space}${ticks}`
  },
}
