/** A page of the link graph; `foundBy` is the index of the page that first linked to it, or -1. */
export type GraphPage = readonly [
  url: string,
  /** Status or error code. */
  outcome: string | number | null,
  depth: number | null,
  foundBy: number,
]

/** The link graph, as the page's script reads it. */
export interface GraphData {
  readonly pages: readonly GraphPage[]
  /** Indexes of pages, in pairs: from, to. Each pair occurs once. */
  readonly links: readonly number[]
}
