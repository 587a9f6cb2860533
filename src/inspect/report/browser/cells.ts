import { formatCount } from '../../../english-text.ts'
import type { ColumnKind, TableCell } from '../embedded-rows.ts'
import { formatBytes, formatDuration } from '../number-format.ts'
import { toneOf } from '../tone.ts'
import { linkOf, textOf } from './elements.ts'
import { shownPages, textsOf } from './linking-page-list.ts'

/**
 * Creates the content of a table cell. Nothing here is ever parsed as HTML.
 * @param words the words of the search, in lower case
 */
export function shownCell(cell: TableCell, kind: ColumnKind, words: readonly string[]): Node {
  if (cell === null) return textOf('–', 'none')
  if (typeof cell === 'object') return 'pages' in cell ? shownPages(cell, words) : listOf(cell)
  if (kind === 'url') return linkOf(String(cell))
  if (kind === 'status') return textOf(String(cell), `status ${toneOf(cell)}`)
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

function listOf(urls: readonly string[]): Node {
  if (urls.length === 0) return textOf('–', 'none')
  const list = document.createElement('ol')
  for (const url of urls) {
    const item = document.createElement('li')
    item.append(linkOf(url))
    list.append(item)
  }
  return list
}
