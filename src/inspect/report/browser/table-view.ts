import { formatCount } from '../../../english-text.ts'
import type { DataTable } from '../embedded-rows.ts'
import { compareCells, createCellContent, searchedText } from './cells.ts'
import { createButton, withClass } from './elements.ts'

type TableRow = DataTable['rows'][number]

/** Rows shown at a time, so that drawing a table of 10,000 rows is fast. */
const PAGE = 10
const NUMERIC = new Set(['number', 'bytes', 'ms'])

/** A table with sorting, search and pages. */
export class TableView {
  readonly #table: DataTable
  readonly #place: HTMLElement
  readonly #body = document.createElement('tbody')
  readonly #heads: readonly HTMLTableCellElement[]
  readonly #found = document.createElement('span')
  readonly #previous: HTMLButtonElement
  readonly #next: HTMLButtonElement
  /** Sorted rows, before the search. */
  #sorted: readonly TableRow[]
  #rows: readonly TableRow[]
  #words: readonly string[] = []
  #start = 0

  constructor(table: DataTable, place: HTMLElement) {
    this.#table = table
    this.#place = place
    this.#sorted = table.rows
    this.#rows = table.rows
    this.#heads = table.columns.map(({ name, kind }, at) => this.#head(name, kind, at))
    this.#previous = createButton('Previous', () => this.#turnPage(-PAGE))
    this.#next = createButton('Next', () => this.#turnPage(PAGE))
  }

  show(): void {
    const frame = withClass('div', 'frame')
    const table = document.createElement('table')
    table
      .createTHead()
      .insertRow()
      .append(...this.#heads)
    table.append(this.#body)
    frame.append(table)
    const pager = withClass('p', 'pager')
    this.#found.setAttribute('aria-live', 'polite')
    pager.append(this.#found, this.#previous, this.#next)
    const isLong = this.#table.rows.length > PAGE
    this.#place.append(...(isLong ? [this.#search(), frame, pager] : [frame]))
    this.#draw()
  }

  #head(name: string, kind: string, at: number): HTMLTableCellElement {
    const head = withClass('th', kind)
    head.scope = 'col'
    head.append(createButton(name, () => this.#sort(at)))
    return head
  }

  #search(): HTMLElement {
    const input = document.createElement('input')
    input.type = 'search'
    input.placeholder = 'Search'
    input.setAttribute('aria-label', 'Search this table')
    input.addEventListener('input', () => {
      this.#words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
      this.#refresh()
    })
    return input
  }

  #sort(column: number): void {
    const head = this.#heads[column]
    const isNumeric = NUMERIC.has(this.#table.columns[column]?.kind ?? '')
    const before = head?.ariaSort ?? (isNumeric ? 'ascending' : 'descending')
    const sign = before === 'ascending' ? -1 : 1
    for (const other of this.#heads) other.ariaSort = null
    if (head !== undefined) head.ariaSort = sign === 1 ? 'ascending' : 'descending'
    const cellOf = (row: TableRow) => row[column] ?? null
    this.#sorted = this.#table.rows.toSorted((a, b) => {
      const [first, second] = [cellOf(a), cellOf(b)]
      const order = compareCells(first, second)
      return first === null || second === null ? order : order * sign
    })
    this.#refresh()
  }

  #refresh(): void {
    this.#rows = this.#sorted.filter((row) => {
      const text = searchedText(row)
      return this.#words.every((word) => text.includes(word))
    })
    this.#start = 0
    this.#draw()
  }

  #turnPage(rows: number): void {
    this.#start += rows
    this.#draw()
  }

  #draw(): void {
    const { columns } = this.#table
    const shown = this.#rows.slice(this.#start, this.#start + PAGE)
    this.#body.replaceChildren(
      ...shown.map((row) => {
        const line = document.createElement('tr')
        for (const [at, { kind, name }] of columns.entries()) {
          const cell = line.insertCell()
          cell.className = kind
          cell.dataset['name'] = name
          cell.append(createCellContent(row[at] ?? null, kind, this.#words))
        }
        return line
      }),
    )
    const [first, last] = [this.#start + 1, this.#start + shown.length].map(formatCount)
    const all = formatCount(this.#rows.length)
    this.#found.textContent = shown.length === 0 ? 'Nothing found' : `${first}–${last} of ${all}`
    this.#previous.disabled = this.#start === 0
    this.#next.disabled = this.#start + PAGE >= this.#rows.length
    this.#previous.hidden = this.#next.hidden = this.#rows.length <= PAGE
  }
}
