/** How the values of a column are shown and sorted. */
export type ColumnKind = 'url' | 'urls' | 'text' | 'number' | 'bytes' | 'ms' | 'status'

/** A value of a table; `urls` are lists, absent values null. */
export type Cell = string | number | null | readonly string[]

/** A table of the page, as the script of the page reads it. */
export interface DataTable {
  readonly id: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  readonly rows: readonly (readonly Cell[])[]
}
