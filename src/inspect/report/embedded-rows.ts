/** Kind of a column, which decides its display and sorting. */
export type ColumnKind = 'url' | 'urls' | 'text' | 'pages' | 'number' | 'bytes' | 'ms' | 'status'

/** A page that links to a broken URL. */
export interface LinkingPage {
  readonly url: string
  /** Text of the link. */
  readonly text?: string
  /** Redirects from the link to the URL, in order. */
  readonly by?: readonly string[]
}

/** The pages that link to a URL: their number, and the first of them. */
export interface LinkingPages {
  readonly total: number
  readonly pages: readonly LinkingPage[]
}

/** A value of a table; `urls` are lists, absent values null. */
export type TableCell = string | number | null | readonly string[] | LinkingPages

/** A table of the report, as the page's script reads it. */
export interface DataTable {
  readonly id: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  readonly rows: readonly (readonly TableCell[])[]
}
