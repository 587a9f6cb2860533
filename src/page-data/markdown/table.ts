import { codeSpanOf } from './inline.ts'
import { hasClassOf, type MarkdownNode, type MarkdownRule } from './markdown-node.ts'

/** Maximum number of cells of a table, including those that other cells cover. */
const MAX_CELLS = 50_000
const SECTIONS: ReadonlySet<string> = new Set(['THEAD', 'TBODY', 'TFOOT'])
const TABLES: ReadonlySet<string> = new Set(['table', 'grid'])
const CELLS: ReadonlySet<string> = new Set(['TD', 'TH', 'cell', 'gridcell', 'rowheader'])
const HEADS: ReadonlySet<string> = new Set(['TH', 'columnheader', 'rowheader'])
/** Classes of the tables of javadoc, which are a `<div>` of cells, and of their cells. */
const isJavadocTable = isDivOf('summary-table', 'details-table')
const isJavadocHead = isDivOf('table-header')
const isJavadocCell = isDivOf('even-row-color', 'odd-row-color')
/** Matches content that no cell can have: a heading, another table. */
const BLOCK = /^[> \t*]*(?:#{1,6} |\| )/
/** Matches the line before a block of code. */
const FENCE = /^[> \t*]*(`{3,})[^`]*$/
const QUOTE_MARKS = /^[> ]*> /
/** Matches the mark of an entry of a list, which means nothing in a cell. */
const ENTRY_MARK = /^\* {3}/
const RULE = /^\* \* \*$/
/** Matches the icon of a note in DocBook, which is in a table with a `<th>`. */
const IMAGE = /^!\[(?:\\.|[^\]\\\n])*\]\((?:\\.|[^\s)\\])*\)$/
const PARAGRAPHS = /\n\s*\n/

/** A row with a text for each of its columns. */
type Texts = readonly string[]

/** A line of a cell's Markdown. */
interface CellLine {
  readonly text: string
  /** True if it is in a block of code. */
  readonly isCode: boolean
}

/** The Markdown of cells and captions. */
const contents = new WeakMap<MarkdownNode, string>()

/** Keeps the Markdown of cells and captions for their table. */
export const tablePart: MarkdownRule = {
  filter: (node) => isCell(node) || node.nodeName === 'CAPTION',
  replacement(content, node) {
    contents.set(node, content.trim())
    return `\n\n${content}\n\n`
  },
}

/** Writes a table of data as a table of GFM. The cells of others, which serve the layout, become paragraphs. */
export const table: MarkdownRule = {
  filter: (node) =>
    node.nodeName === 'TABLE' ||
    TABLES.has(node.getAttribute('role') ?? '') ||
    isJavadocTable(node),
  replacement: (content, node) => `\n\n${dataTable(node) ?? content}\n\n`,
}

function isDivOf(...classes: readonly string[]): (node: MarkdownNode) => boolean {
  const hasClass = hasClassOf(classes)
  return (node) => node.nodeName === 'DIV' && hasClass(node)
}

function isCell(node: MarkdownNode): boolean {
  const role = node.getAttribute('role') ?? ''
  return CELLS.has(node.nodeName) || CELLS.has(role) || isHeadCell(node) || isJavadocCell(node)
}

function isHeadCell(node: MarkdownNode): boolean {
  const role = node.getAttribute('role') ?? ''
  return HEADS.has(node.nodeName) || HEADS.has(role) || isJavadocHead(node)
}

/** Returns undefined if the table serves the layout, or if GFM can't express it. */
function dataTable(node: MarkdownNode): string | undefined {
  const rows = rowsOf(node).filter((row) => row.some((cell) => contents.get(cell)))
  if (isLayout(node, rows)) return undefined
  const lines = linesOf(rows)
  const width = Math.max(0, ...(lines ?? []).map(({ length }) => length))
  if (lines === undefined || width === 0 || width * lines.length > MAX_CELLS) return undefined
  const head = isHead(rows[0]) ? lines.slice(0, 1) : [[]]
  const rule = `| ${Array(width).fill('---').join(' | ')} |`
  const written = [...head, ...lines.slice(head[0] === lines[0] ? 1 : 0)].map((line) =>
    writtenLine(line, width),
  )
  return [captionOf(node), [written[0], rule, ...written.slice(1)].join('\n')].join('\n\n')
}

function rowsOf(node: MarkdownNode): MarkdownNode[][] {
  if (isJavadocTable(node)) return javadocRows(node)
  const parts = node.children
  const rows = parts.flatMap((part) =>
    SECTIONS.has(part.nodeName) || part.getAttribute('role') === 'rowgroup' ? part.children : part,
  )
  return rows
    .filter((row) => row.nodeName === 'TR' || row.getAttribute('role') === 'row')
    .map((row) => row.children.filter(isCell))
}

function javadocRows(node: MarkdownNode): MarkdownNode[][] {
  const cells = node.children.filter(isCell)
  const columns = cells.filter(isJavadocHead).length || 1
  return Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  )
}

function isLayout(node: MarkdownNode, rows: readonly MarkdownNode[][]): boolean {
  const cells = rows.flat()
  const texts = cells.map((cell) => contents.get(cell) ?? '')
  if (texts.some(hasBlock)) return true
  if (/^(?:none|presentation)$/.test(node.getAttribute('role') ?? '')) return true
  if (rows.length <= 2 && IMAGE.test(texts[0] ?? '')) return true
  if (cells.some(isHeadCell)) return false
  const isList = rows.length < 2 || rows.every(({ length }) => length < 2)
  return isList || texts.some((text) => PARAGRAPHS.test(text) || text.split('\n').some(isFence))
}

function isHead(row: readonly MarkdownNode[] | undefined): boolean {
  return row?.[0]?.parentNode?.parentNode?.nodeName === 'THEAD' || Boolean(row?.every(isHeadCell))
}

/** Returns the texts of rows by columns, empty where another cell spans several; undefined if there are too many. */
function linesOf(rows: readonly MarkdownNode[][]): Texts[] | undefined {
  /** For each column, how many further rows the last cell covers. */
  const covered: number[] = []
  let left = MAX_CELLS
  const lines = []
  for (const row of rows) {
    const line: string[] = []
    for (const cell of row) {
      addCovered(line)
      const columns = spanOf(cell, 'colspan')
      left -= columns
      if (left < 0) return undefined
      const text = contents.get(cell) ?? ''
      for (let column = 0; column < columns; column++) {
        covered[line.length] = spanOf(cell, 'rowspan') - 1
        line.push(column === 0 ? text : '')
      }
    }
    addCovered(line)
    if (left < 0) return undefined
    lines.push(line)
  }
  return lines

  function addCovered(line: string[]): void {
    for (let rest = covered[line.length]; rest; rest = covered[line.length]) {
      covered[line.length] = rest - 1
      line.push('')
      left--
    }
  }
}

function spanOf(cell: MarkdownNode, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1)
  return Number.isInteger(span) ? Math.min(Math.max(span, 1), 1_000) : 1
}

function writtenLine(line: Texts, width: number): string {
  const cells = Array.from({ length: width }, (_, column) => cellText(line[column] ?? ''))
  return `| ${cells.join(' | ')} |`
}

/** Returns the content of a cell in one line. */
function cellText(content: string): string {
  const lines = cellLines(content).flatMap(({ text, isCode }) =>
    isCode
      ? codeSpanOf(text.replace(QUOTE_MARKS, ''))
      : text.trim().replace(RULE, '').replace(ENTRY_MARK, '• ') || [],
  )
  return lines.join('<br>').replaceAll('|', '\\|')
}

/** Returns the lines of a cell without the marks around its blocks of code. */
function cellLines(content: string): CellLine[] {
  let fence: string | undefined
  return content.split('\n').flatMap((text) => {
    const [, ticks] = FENCE.exec(text) ?? []
    if (fence === undefined ? ticks === undefined : ticks !== fence)
      return { text, isCode: fence !== undefined }
    fence = fence === undefined ? ticks : undefined
    return []
  })
}

function hasBlock(content: string): boolean {
  return cellLines(content).some(({ text, isCode }) => !isCode && BLOCK.test(text))
}

function isFence(line: string): boolean {
  return FENCE.test(line)
}

function captionOf(node: MarkdownNode): string {
  const caption = node.children.find(({ nodeName }) => nodeName === 'CAPTION')
  return (caption && contents.get(caption)) ?? ''
}
