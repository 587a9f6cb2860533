/** A page of the link graph; `foundBy` is the place of the page that was the first to name it, or -1. */
export type GraphPage = readonly [
  url: string,
  /** Status or error code. */
  outcome: string | number | null,
  depth: number | null,
  foundBy: number,
]

/** The link graph, as the script of the page reads it. */
export interface GraphData {
  readonly pages: readonly GraphPage[]
  /** Places of pages, in pairs: from, to. Each pair is there once. */
  readonly links: readonly number[]
}
