import { formatCount } from '../../../english-text.ts'
import type { ColumnKind, TableCell } from '../embedded-rows.ts'
import { formatBytes, formatDuration } from '../number-format.ts'
import { toneOf } from '../tone.ts'
import { createLink, createSpan } from './elements.ts'
import { createPageList, textsOf } from './linking-page-list.ts'

/**
 * Creates the content of a table cell. Nothing here is ever parsed as HTML.
 * @param words the words of the search, in lower case
 */
export function createCellContent(
  cell: TableCell,
  kind: ColumnKind,
  words: readonly string[],
): Node {
  if (cell === null) return createSpan('–', 'none')
  if (typeof cell === 'object')
    return 'pages' in cell ? createPageList(cell, words) : createList(cell)
  if (kind === 'url') return createLink(String(cell))
  if (kind === 'status') return createSpan(String(cell), `status ${toneOf(cell)}`)
  return document.createTextNode(typeof cell === 'number' ? numberOf(cell, kind) : cell)
}

/** Returns all text of a row for the search, including pages that are not shown. */
export function searchedText(row: readonly TableCell[]): string {
  return row.map(plainText).join(' ').toLowerCase()
}

function plainText(cell: TableCell): string {
  if (cell === null || typeof cell !== 'object') return String(cell ?? '')
  if (!('pages' in cell)) return cell.join(' ')
  return cell.pages.map(textsOf).join(' ')
}

/** Returns a negative number when `a` comes first; absent values come last. */
export function compareCells(a: TableCell, b: TableCell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [plainText(a), plainText(b)]
  return first < second ? -1 : Number(first > second)
}

function numberOf(value: number, kind: ColumnKind): string {
  if (kind === 'bytes') return formatBytes(value)
  return kind === 'ms' ? formatDuration(Math.round(value)) : formatCount(value)
}

function createList(urls: readonly string[]): Node {
  if (urls.length === 0) return createSpan('–', 'none')
  const list = document.createElement('ol')
  for (const url of urls) {
    const item = document.createElement('li')
    item.append(createLink(url))
    list.append(item)
  }
  return list
}
