import type { DatabaseSync } from 'node:sqlite'
import { cutText } from './cut-text.ts'
import type { ColumnKind, DataTable, TableCell } from './embedded-rows.ts'

/** Maximum rows of each table except broken links. */
export const MAX_ROWS = 1_000

/** A table with information for readers. */
export interface ReportTable extends DataTable {
  readonly title: string
  readonly note: string
  /** Number of rows without a limit. */
  readonly total: number
}

type SqlRow = Record<string, unknown>

/** @param texts a name and a kind for each column, as `Name:kind` */
export function columns(...texts: `${string}:${ColumnKind}`[]): DataTable['columns'] {
  return texts.map((text) => {
    const [name = '', kind] = text.split(':')
    return { name, kind: kind as ColumnKind }
  })
}

/** Returns the rows of a query. */
export function rowsOf(database: DatabaseSync, query: string): SqlRow[] {
  return database.prepare(query).all()
}

/** Returns the number of visits that fulfill an SQL condition. */
export function countVisits(database: DatabaseSync, condition: string): number {
  return countRows(database, `SELECT 1 FROM visits WHERE ${condition}`)
}

/** Returns the number of rows of a query. */
export function countRows(database: DatabaseSync, query: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM (${query})`).get()?.['count'])
}

/** Returns the values of a row as cells of a table. */
export function cells(row: SqlRow): TableCell[] {
  return Object.values(row).map(cell)
}

/** Returns a value of the database as a cell of a table. */
export function cell(value: unknown): TableCell {
  return typeof value === 'number' || value === null ? value : cutText(String(value))
}
