import type { DomElement, MarkdownRule } from './dom-element.ts'

/** Maximum number of cells of a table, including those that other cells cover. */
const MAX_CELLS = 50_000
const SECTIONS: ReadonlySet<string> = new Set(['THEAD', 'TBODY', 'TFOOT'])
const CELLS: ReadonlySet<string> = new Set(['TD', 'TH'])
/** Matches content that no cell can have: a block of code, a heading, another table. */
const BLOCK = /^(?:`{3}|#{1,6} |\| )/m
const PARAGRAPHS = /\n\s*\n/

/** A row with a text for each of its columns. */
type Texts = readonly string[]

/** The Markdown of cells and captions. */
const contents = new WeakMap<DomElement, string>()

/** Keeps the Markdown of cells and captions for their table. */
export const tablePart: MarkdownRule = {
  filter: ({ nodeName }) => CELLS.has(nodeName) || nodeName === 'CAPTION',
  replacement(content, node) {
    contents.set(node, content.trim())
    return `\n\n${content}\n\n`
  },
}

/** Writes a table of data as a table of GFM. The cells of others, which serve the layout, become paragraphs. */
export const table: MarkdownRule = {
  filter: ({ nodeName }) => nodeName === 'TABLE',
  replacement: (content, node) => `\n\n${dataTable(node) ?? content}\n\n`,
}

/** Returns undefined if the table serves the layout, or if GFM can't express it. */
function dataTable(node: DomElement): string | undefined {
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

function rowsOf(node: DomElement): DomElement[][] {
  const parts = Array.from(node.children)
  const rows = parts.flatMap((part) =>
    SECTIONS.has(part.nodeName) ? Array.from(part.children) : part,
  )
  return rows
    .filter(({ nodeName }) => nodeName === 'TR')
    .map((row) => Array.from(row.children).filter(({ nodeName }) => CELLS.has(nodeName)))
}

function isLayout(node: DomElement, rows: readonly DomElement[][]): boolean {
  const cells = rows.flat()
  const texts = cells.map((cell) => contents.get(cell) ?? '')
  if (texts.some((text) => BLOCK.test(text))) return true
  if (/^(?:none|presentation)$/.test(node.getAttribute('role') ?? '')) return true
  if (cells.some(({ nodeName }) => nodeName === 'TH')) return false
  const isList = rows.length < 2 || rows.every(({ length }) => length < 2)
  return isList || texts.some((text) => PARAGRAPHS.test(text))
}

function isHead(row: readonly DomElement[] | undefined): boolean {
  return (
    row?.[0]?.parentNode?.parentNode?.nodeName === 'THEAD' ||
    Boolean(row?.every(({ nodeName }) => nodeName === 'TH'))
  )
}

/** Returns the texts of rows by columns, empty where another cell spans several; undefined if there are too many. */
function linesOf(rows: readonly DomElement[][]): Texts[] | undefined {
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

function spanOf(cell: DomElement, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1)
  return Number.isInteger(span) ? Math.min(Math.max(span, 1), 1_000) : 1
}

function writtenLine(line: Texts, width: number): string {
  const cells = Array.from({ length: width }, (_, column) => cellText(line[column] ?? ''))
  return `| ${cells.join(' | ')} |`
}

/** Returns the content of a cell in one line. */
function cellText(content: string): string {
  const lines = content.split('\n').flatMap((line) => line.trim() || [])
  return lines.join('<br>').replaceAll('|', '\\|')
}

function captionOf(node: DomElement): string {
  const caption = Array.from(node.children).find(({ nodeName }) => nodeName === 'CAPTION')
  return (caption && contents.get(caption)) ?? ''
}
