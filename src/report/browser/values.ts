import type { Cell, ColumnKind } from '../page/data-table.ts'
import { shownBytes, shownCount, shownTime } from '../page/numbers.ts'

/** What a table shows of a value. Nothing here is ever taken for HTML. */
export function shownCell(cell: Cell, kind: ColumnKind): Node {
  if (cell === null) return textOf('–', 'none')
  if (typeof cell === 'object') return listOf(cell)
  if (kind === 'url') return linkOf(String(cell))
  if (kind === 'status') return textOf(String(cell), `status ${toneOf(cell)}`)
  return document.createTextNode(typeof cell === 'number' ? numberOf(cell, kind) : cell)
}

/** Below 0 when `a` comes first; absent values come last. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [String(a), String(b)]
  return first < second ? -1 : Number(first > second)
}

function numberOf(value: number, kind: ColumnKind): string {
  if (kind === 'bytes') return shownBytes(value)
  return kind === 'ms' ? shownTime(Math.round(value)) : shownCount(value)
}

function toneOf(outcome: string | number): string {
  const status = Number(outcome)
  if ((status >= 200 && status < 300) || status === 304) return 'fine'
  return status >= 300 && status < 400 ? 'moved' : 'broken'
}

/** Only what leads to a site is a link; a `javascript:` URL is a text like any other. */
function linkOf(url: string): Node {
  if (!/^https?:\/\//.test(url) || url.endsWith('…')) return textOf(url, 'url')
  const link = document.createElement('a')
  link.href = url
  link.textContent = url
  link.className = 'url'
  link.rel = 'noopener noreferrer'
  link.target = '_blank'
  return link
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

function textOf(text: string, className: string): Node {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}
