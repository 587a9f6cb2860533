import {
  hasNameOf,
  isLink,
  type MarkdownNode,
  type MarkdownRule,
  TEXT_NODE,
} from './markdown-node.ts'

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const STARTS_WITH_WORD = /^[\p{L}\p{N}]/u
const STARTS_WITH_MARK = /^[\p{P}\p{S}]/u
const ENDS_IN_MARK = /[\p{P}\p{S}]$/u

const CODE: ReadonlySet<string> = new Set(['CODE', 'TT', 'SAMP', 'KBD'])
/** The marks and the tags of emphasis, and of deleted text (GFM). */
const EMPHASIS: ReadonlyMap<string, readonly [mark: string, stars: string, tag: string]> = new Map([
  ['EM', ['_', '*', 'em']],
  ['I', ['_', '*', 'em']],
  ['STRONG', ['**', '**', 'strong']],
  ['B', ['**', '**', 'strong']],
  ['DEL', ['~~', '~~', 'del']],
  ['S', ['~~', '~~', 'del']],
  ['STRIKE', ['~~', '~~', 'del']],
])
/** Elements in a line that have no marks in Markdown. */
const UNMARKED: ReadonlySet<string> = new Set(
  'ABBR BDI BDO BIG BUTTON CITE DATA DFN FONT INS LABEL MARK Q RUBY SMALL SPAN TIME U VAR'.split(
    ' ',
  ),
)
/** Matches the start of a heading, a list, a quotation, a table or a block of code. */
const BLOCK_START = /^(?:#{1,6} |\* {3}|\d+\. {2}|> |\| |`{3,}\S*\n)/
const BLANK_LINE = /\n[ >]*\n/
const CONTROLS: ReadonlySet<string> = new Set(['BUTTON', 'OPTION', 'TEXTAREA'])
const RAISED: ReadonlySet<string> = new Set(['SUB', 'SUP'])

/**
 * Puts marks around a content, inside the white space around it. They mean nothing around several paragraphs or other
 * blocks, which get none.
 */
function marked(content: string, open: string, close = open): string {
  const core = content.trim()
  if (core === '') return ''
  if (BLANK_LINE.test(core) || BLOCK_START.test(core)) return content
  return content.replace(core, () => `${open}${core}${close}`)
}

/** Keeps the tags of exponents and indexes, since 10<sup>5</sup> isn't 105. Marks of footnotes are links, and need none. */
export const raised: MarkdownRule = {
  filter: (node) =>
    RAISED.has(node.nodeName) && !node.isCode && !node.contains(hasNameOf('A', 'IMG')),
  replacement(content, { nodeName }) {
    const tag = nodeName.toLowerCase()
    return marked(content, `<${tag}>`, `</${tag}>`)
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
function taskOf({ parentNode: label }: MarkdownNode): string | undefined {
  const entry = label?.nodeName === 'LI' ? label : label?.parentNode
  return entry?.nodeName === 'LI' ? entry.textContent : undefined
}

/** Writes code, output and the like as a code span, which has neither markup nor lines inside. */
export const codeSpan: MarkdownRule = {
  filter: (node) =>
    CODE.has(node.nodeName) && !node.parentNode?.isCode && !node.contains(isNoPartOfSpan),
  replacement(_, node) {
    const code = codeSpanOf(lineOf(node).replace(/\s+/g, ' ').trim())
    // Without a space, two code spans would be one.
    return code !== '' && isBeforeCode(node) ? `${code} ` : code
  },
}

function isBeforeCode(node: MarkdownNode): boolean {
  return CODE.has(neighbor(node, 'nextSibling')?.nodeName ?? '')
}

/** Returns whether an element would lose its meaning in a code span. */
export function isNoPartOfSpan(node: MarkdownNode): boolean {
  return isLink(node) || node.nodeName === 'IMG' || node.nodeName === 'PRE'
}

/** Returns the text of an element, with a space for each line break. */
function lineOf(node: MarkdownNode): string {
  if (node.nodeName === 'BR') return ' '
  return node.nodeType === TEXT_NODE ? node.data : node.childNodes.map(lineOf).join('')
}

/** Returns a code span with this code; nothing if the code is blank. */
export function codeSpanOf(code: string): string {
  if (code.trim() === '') return ''
  const ticks = backticksAround(code, 1)
  const space = ticks === '`' ? '' : ' '
  return `${ticks}${space}${code}${space}${ticks}`
}

/** Returns more backticks than there are in a row in this code, and at least this number. */
export function backticksAround(code: string, least: number): string {
  const runs: readonly string[] = code.match(/`+/g) ?? []
  return '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), least))
}

/**
 * Writes emphasis and deleted text. Emphasis in a word has stars, since underscores mean nothing there. Marks between a
 * letter and a punctuation mark, or next to other marks, mean nothing, either, and `~~~` begins a block of code: there,
 * tags are written.
 */
export const emphasis: MarkdownRule = {
  filter: (node) => EMPHASIS.has(node.nodeName) && !node.isCode,
  replacement(content, node) {
    const [mark, stars, tag] = EMPHASIS.get(node.nodeName) ?? ['_', '*', 'em']
    if (EMPHASIS.get(node.parentNode?.nodeName ?? '')?.[2] === tag) return content
    const isAfter = isAfterWord(node)
    const isBefore = isBeforeWord(node)
    const needsTag =
      EMPHASIS.has(neighbor(node, 'nextSibling')?.nodeName ?? '') ||
      (isAfter && STARTS_WITH_MARK.test(content)) ||
      (isBefore && ENDS_IN_MARK.test(content)) ||
      (mark === '~~' && meetsTilde(content, node))
    if (needsTag) return marked(content, `<${tag}>`, `</${tag}>`)
    return marked(content, isAfter || isBefore ? stars : mark)
  },
}

function isAfterWord(node: MarkdownNode): boolean {
  const before = neighbor(node, 'previousSibling')
  return before?.nodeType === TEXT_NODE && ENDS_IN_WORD.test(before.data)
}

function isBeforeWord(node: MarkdownNode): boolean {
  const after = neighbor(node, 'nextSibling')
  return after?.nodeType === TEXT_NODE && STARTS_WITH_WORD.test(after.data)
}

/** Returns whether deleted text begins or ends with a tilde, or is next to one. */
function meetsTilde(content: string, node: MarkdownNode): boolean {
  return (
    /^\s*~|~\s*$/.test(content) ||
    neighbor(node, 'previousSibling')?.data.endsWith('~') === true ||
    neighbor(node, 'nextSibling')?.data.startsWith('~') === true
  )
}

/** Returns the node before or after another one in Markdown, where some elements have no marks. */
function neighbor(node: MarkdownNode, side: 'previousSibling' | 'nextSibling') {
  const end = side === 'nextSibling' ? 'firstChild' : 'lastChild'
  let outer: MarkdownNode | null = node
  while (outer?.[side] === null && UNMARKED.has(outer.parentNode?.nodeName ?? ''))
    outer = outer.parentNode
  let near = outer?.[side] ?? null
  while (near !== null && UNMARKED.has(near.nodeName)) near = near[end]
  return near
}

/** Separates the text of a button or an option from that of the next. */
export const control: MarkdownRule = {
  filter: ({ nodeName, nextSibling }) =>
    CONTROLS.has(nodeName) && CONTROLS.has(nextSibling?.nodeName ?? ''),
  replacement: (content) => (content.trim() === '' ? '' : `${content} `),
}
