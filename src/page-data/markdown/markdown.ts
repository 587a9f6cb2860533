// The build for browsers, since the other one loads a DOM of its own.
import Turndown, { type Options } from 'turndown/lib/turndown.browser.cjs.js'
import { absoluteUrl } from '../absolute-url.ts'
import { withDoxygenCode } from '../code-listings.ts'
import { SKIPPED_CLASSES, SKIPPED_ELEMENTS } from '../skipped-elements.ts'
import { block, numberedList } from './block.ts'
import { codeBlock, lineNumberCell, textLines } from './code-block.ts'
import { codeSpan, control, emphasis, isNoPartOfSpan, raised, taskBox } from './inline.ts'
import { emptyLink, isImageWithoutUrl, textLink } from './links.ts'
import {
  HEADING,
  hasClassOf,
  hasNameOf,
  isLink,
  type MarkdownNode,
  type MarkdownRule,
} from './markdown-node.ts'
import { markdownTree } from './markdown-tree.ts'
import { math } from './math.ts'
import { table, tablePart } from './table.ts'

const service = new Turndown<MarkdownNode>({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
/** Maximum characters of the URLs of a page: with a long base, they may be thousands of times as long as written. */
const MAX_URLS = 16 * 2 ** 20
/** The base of the URLs of the current page. */
let base = ''
/** Characters left for its URLs. */
let urlCharacters = 0

/**
 * Matches characters that Turndown doesn't escape, although they begin a tag, a character reference, deleted text, a
 * list, a heading or, before a link, an image.
 */
const UNESCAPED =
  /<(?=[a-z/!?])|&(?=#?[a-z0-9]{1,31};)|(?<!\\)~(?=~)|(?<=[\p{L}\p{N}~])~|[!<]$|(?<=^\d{1,9})(?:\)(?=\s|$)|\.$)|^#{1,6}$/giu
const escapeText = service.escape.bind(service)
/** Matches underscores in words, which mean nothing, so that names such as `a_b` can be searched for. */
const IN_WORD = /(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu
/** Matches what is before a line of a `<pre>`. In other elements, white space is collapsed. */
const LINE_START = /(\n[\t ]*)/
service.escape = (text) => {
  const parts = text.split(LINE_START)
  return parts.map((part, index) => (index % 2 === 0 ? escapeLine(part) : part)).join('')
}

/** Matches what indents a text that may be trimmed later, so that the rest begins a line. */
const INDENT = /^\s*\u00a0\s*/

function escapeLine(line: string): string {
  const [indent = ''] = INDENT.exec(line) ?? []
  const escaped = escapeText(line.slice(indent.length))
  return indent + escaped.replace(UNESCAPED, '\\$&').replace(IN_WORD, '_')
}

const builtInRules = [...service.rules.array]
/** Matches marks that would close a heading, which has none. */
const CLOSING_MARKS = /(?<= )#+$/
/** Matches a rule, and marks at the start of a line: of a heading, an entry or a quotation. */
const LINE_MARKS = /^[\t ]*(?:\* \* \*$|(?:(?:#+|[*>]|\d+\.)[\t ]+)+)/gm
/** Matches white space at the start of a content. */
const LEADING_SPACE = /^[\t\n ]+/
// CommonMark has no headings with line breaks, and no links with paragraphs.
service.addRule('one-line', {
  filter: (node) => HEADING.test(node.nodeName) || isLink(node),
  replacement(content, node, options) {
    const lines = content.replace(LINE_MARKS, '').split('\n')
    const line = lines.flatMap((each) => each.trim() || []).join(' ')
    if (isLink(node)) return withLinesAround(content, builtIn(line, node, options))
    return line === '' ? '' : builtIn(line.replace(CLOSING_MARKS, '\\$&'), node, options)
  },
})

/** Matches the line breaks at the start or the end of a content. */
const BREAK_BEFORE = /^ *\n/
const BREAK_AFTER = /\n$/

/** Returns a link with the line breaks at the edges of its content. A link around paragraphs has a line of its own in browsers. */
function withLinesAround(content: string, link: string): string {
  if (content.includes('\n\n')) return `\n\n${link}\n\n`
  const before = BREAK_BEFORE.test(content) ? '  \n' : ''
  return BREAK_AFTER.test(content) ? `${before}${link}  \n` : before + link
}

// An entry of a list can't begin with the lines of `<br>`. With a space, its other lines would have to be indented further.
service.addRule('entry', {
  filter: 'li',
  replacement: (content, node, options) =>
    builtIn(content.replace(LEADING_SPACE, ''), node, options),
})

/** Converts an element by Turndown's own rule. */
function builtIn(content: string, node: MarkdownNode, options: Options): string {
  const rule = builtInRules.find(({ filter }) =>
    typeof filter === 'function'
      ? filter(node, options)
      : [filter].flat().some((name) => name === node.nodeName.toLowerCase()),
  )
  return rule?.replacement?.(content, node, options) ?? content
}

// In a code span, links and images would be text, and the lines of a `<pre>` would be one.
service.addRule('no-code-span', {
  filter(node) {
    const isNoSpan = node.nodeName === 'CODE' && node.contains(isNoPartOfSpan)
    // Turndown has set this flag, and copies it to the elements inside, whose text it would not escape.
    if (isNoSpan) node.isCode = false
    return isNoSpan
  },
  replacement: (content) => content,
})

// This rule converts no element. It only makes URLs absolute for the rules after it.
service.addRule('absolute', {
  filter(node) {
    for (const name of ['href', 'src']) {
      const url = node.getAttribute(name)
      if (url !== null) node.setAttribute(name, countedUrl(absoluteUrl(url, base)))
    }
    return false
  },
})

const alternativeText: MarkdownRule = {
  filter: isImageWithoutUrl,
  replacement: (_, node) => service.escape(node.getAttribute('alt') ?? ''),
}

const isSkippedClass = hasClassOf(SKIPPED_CLASSES)
const skippedNames: ReadonlySet<string> = new Set(SKIPPED_ELEMENTS)
const skipped: MarkdownRule = {
  filter: (node) =>
    skippedNames.has(node.nodeName.toLowerCase()) ||
    isSkippedClass(node) ||
    node.getAttribute('role') === 'navigation',
  replacement: () => '',
}

const inlineRules = { emphasis, raised, taskBox, codeSpan, control }
const blockRules = { block, numberedList, table, tablePart, textLines, codeBlock, lineNumberCell }
// Those that are added last come first.
const linkRules = { alternativeText, textLink, emptyLink }
const rules = { ...inlineRules, ...blockRules, ...linkRules, skipped, math }
for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule)

// This rule converts no element. Turndown moves the white space at the edges of a text out of elements such as `<font>`.
// That of a `<pre>` is code, and the fences around it need lines of their own.
service.addRule('white-space', {
  filter(node) {
    const { leading, trailing } = node.flankingWhitespace
    if (leading + trailing !== '' && node.contains(hasNameOf('PRE'))) {
      node.flankingWhitespace = { leading: '', trailing: '' }
    }
    return false
  },
})

/**
 * Converts a page to Markdown (GFM) with absolute links.
 * @param pageBase the base of the page's URLs
 * @throws Error if its tree or its URLs would be too large
 */
export function markdown(html: string, pageBase: string): string {
  base = pageBase
  urlCharacters = MAX_URLS
  return service.turndown(markdownTree(withDoxygenCode(html))).trimStart()
}

function countedUrl(url: string): string {
  urlCharacters -= url.length
  if (urlCharacters < 0) throw new Error(`its URLs have more than ${MAX_URLS} characters`)
  return url
}
