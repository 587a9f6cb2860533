/** How the values of a column are shown and sorted. */
export type ColumnKind = 'url' | 'urls' | 'text' | 'pages' | 'number' | 'bytes' | 'ms' | 'status'

/** A page that links to something. */
export interface LinkingPage {
  readonly url: string
  /** What the link shows. */
  readonly text?: string
  /** The redirects that the link leads to, in their order. */
  readonly by?: readonly string[]
}

/** The pages that link to something: how many, and the first of them. */
export interface LinkingPages {
  readonly total: number
  readonly pages: readonly LinkingPage[]
}

/** A value of a table; `urls` are lists, absent values null. */
export type TableCell = string | number | null | readonly string[] | LinkingPages

/** A table of the page, as the script of the page reads it. */
export interface DataTable {
  readonly id: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  readonly rows: readonly (readonly TableCell[])[]
}
