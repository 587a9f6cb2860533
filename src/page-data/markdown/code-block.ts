import { LINE_NUMBER_CLASSES, LINE_NUMBER_CLASSES_IN_CODE, LINE_NUMBERS } from '../code-listings.ts'
import { backticksAround } from './inline.ts'
import {
  hasClassOf,
  hasNameOf,
  isLink,
  type MarkdownNode,
  type MarkdownRule,
  TEXT_NODE,
} from './markdown-node.ts'

/** Elements that browsers show in lines of their own. */
const LINES: ReadonlySet<string> = new Set(['DIV', 'LI', 'P', 'TR'])
/** Elements whose Markdown has lines of its own. */
const isBlock = hasNameOf(...'BLOCKQUOTE DIV DL H1 H2 H3 H4 H5 H6 OL P PRE TABLE UL'.split(' '))
/** Elements of highlighters around a block of code. */
const WRAPPERS: ReadonlySet<string> = new Set(['DIV', 'FIGURE', 'TD', 'TR', 'TBODY', 'TABLE'])
/** Maximum number of elements around a block of code that may name its language. */
const MAX_WRAPPERS = 7
/** Matches the language in the classes of `<pre>` and `<code>`: HTML standard, Prettify, MediaWiki, Pandoc, SyntaxHighlighter, highlight.js, rustdoc. */
const LANGUAGE =
  /(?:^|\s)(?:language-|lang-|source-|sourceCode |brush: ?|hljs (?!lang)|(?=rust rust-))([\w+#.-]+)/
/** Matches the language in the classes of elements around them: Prism, GitHub, MediaWiki, Sphinx. */
const WRAPPER_LANGUAGE =
  /(?:^|\s)(?:language-|highlight-source-|mw-highlight-lang-|source-|highlight-(?=\S+ notranslate))([\w+#.-]+)/
/** Matches the language in the classes of a `<figure>` of Hexo. */
const FIGURE_LANGUAGE = /^highlight ([\w+#.-]+)$/
const LANGUAGE_ATTRIBUTES = ['data-lang', 'data-language', 'data-enlighter-language', 'lang']
const LANGUAGE_NAME = /^[\w+#.-]+$/
/** Values of highlighters for code without a language. */
const NO_LANGUAGE = /^(?:auto|default|none|nohighlight|plain)$/

/** Classes of a `<pre>` that is code even with links: Doxygen, DocBook, Prettify. */
const isNamedCode = hasClassOf(['fragment', 'programlisting', 'synopsis', 'screen', 'prettyprint'])
const isCodeElement = hasNameOf('CODE')
const isLineNumber = hasClassOf([...LINE_NUMBER_CLASSES, ...LINE_NUMBER_CLASSES_IN_CODE])

/** Writes a `<pre>` as code in a fence, unless it has links and no mark of code, and a `<code>` that serves as one. */
export const codeBlock: MarkdownRule = {
  filter: (node) => (node.nodeName === 'PRE' ? isCode(node) : isLines(node)),
  replacement(_, node) {
    const code = codeOf(node).replaceAll('\u00a0', ' ').replace(/^\n/, '').replace(/\n$/, '')
    const fence = backticksAround(code, 3)
    return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`
  },
}

/**
 * Writes a `<pre>` that isn't code, such as a listing of files with links, as lines of text. Markdown would join its lines,
 * and take indented ones for code.
 */
export const textLines: MarkdownRule = {
  filter: (node) => node.nodeName === 'PRE' && !node.contains(isBlock),
  replacement(content) {
    const lines = content.replace(/^[\t ]+/gm, indentOf).replace(/(?<=\S)[\t ]*\n(?=.)/g, '  \n')
    return `\n\n${lines}\n\n`
  },
}

/** Returns white space that doesn't make a line code. */
function indentOf(space: string): string {
  const { length } = space.replaceAll('\t', '    ')
  return length < 4 ? space : '\u00a0'.repeat(length)
}

function isCode(pre: MarkdownNode): boolean {
  if (isNamedCode(pre) || pre.contains(isCodeElement) || !pre.contains(isLink)) return true
  return namedLanguage(pre) !== undefined
}

/** Returns whether an element is code with line breaks in a `<div>` of its own, as in the manual of PHP. */
function isLines(node: MarkdownNode): boolean {
  const isAlone = node.previousSibling === null && node.nextSibling === null
  const isBlock = node.nodeName === 'CODE' && node.parentNode?.nodeName === 'DIV' && isAlone
  return isBlock && node.contains(hasNameOf('BR'))
}

/** Leaves out a `<pre>` of line numbers in a cell before the cell of the code. */
export const lineNumberCell: MarkdownRule = {
  filter(node) {
    if (node.nodeName !== 'PRE' || !LINE_NUMBERS.test(node.textContent)) return false
    const cell = node.parentNode?.nodeName === 'TD' ? node.parentNode : node.parentNode?.parentNode
    return cell?.nodeName === 'TD' && cell.nextElementSibling?.contains(hasNameOf('PRE')) === true
  },
  replacement: () => '',
}

/** Returns the lines of a block of code, without their numbers. */
function codeOf(pre: MarkdownNode): string {
  let code = ''
  let isLineStart = true
  addContent(pre)
  return code

  function addContent({ firstChild }: MarkdownNode): void {
    for (let child = firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === TEXT_NODE) addText(child)
      else if (child.nodeName === 'BR') add('\n')
      else if (child.nodeName === 'BUTTON' || isLineNumber(child)) continue
      else if (LINES.has(child.nodeName)) addLine(child)
      else addContent(child)
    }
  }

  function addText({ data, previousSibling }: MarkdownNode): void {
    const isBetweenLines = LINES.has(previousSibling?.nodeName ?? '') && data.trim() === ''
    if (!isBetweenLines) add(data)
  }

  function addLine(element: MarkdownNode): void {
    if (!isLineStart) add('\n')
    const { length } = code
    addContent(element)
    if (!isLineStart || code.length === length) add('\n')
  }

  function add(text: string): void {
    if (text === '') return
    code += text
    isLineStart = text.endsWith('\n')
  }
}

function languageOf(pre: MarkdownNode): string {
  const language = namedLanguage(pre) ?? ''
  return NO_LANGUAGE.test(language) ? '' : language
}

/** Returns the language that the classes of the code name, also if it is a word for none. */
function namedLanguage(pre: MarkdownNode): string | undefined {
  const elements = [pre, ...pre.descendants(isCodeElement)]
  return elements.map(ownLanguage).find((each) => each !== undefined) ?? wrapperLanguage(pre)
}

function ownLanguage(element: MarkdownNode): string | undefined {
  const [, language] = LANGUAGE.exec(element.className) ?? []
  if (language !== undefined) return language
  const values = LANGUAGE_ATTRIBUTES.map((name) => element.getAttribute(name) ?? '')
  return values.find((value) => LANGUAGE_NAME.test(value))
}

function wrapperLanguage(pre: MarkdownNode): string | undefined {
  let element = pre.parentNode
  for (let left = MAX_WRAPPERS; left > 0 && element !== null; left--) {
    if (!WRAPPERS.has(element.nodeName)) return undefined
    const pattern = element.nodeName === 'FIGURE' ? FIGURE_LANGUAGE : WRAPPER_LANGUAGE
    const [, language] = pattern.exec(element.className) ?? []
    if (language !== undefined) return language
    element = element.parentNode
  }
  return undefined
}
