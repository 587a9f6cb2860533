/** How a URL was found: the kind of step that led to it. */
export type Hop = 'seed' | 'link' | 'redirect'

/** A URL on its way to a worker. */
export interface CrawlUrl {
  /** Its number in the frontier. */
  readonly id: number
  readonly url: string
  /** Links followed from a seed. */
  readonly depth: number
  /** Redirects followed since the last link, or since the seed. */
  readonly redirects: number
  readonly hop: Hop
  /** The page it was found on; absent for seeds. */
  readonly via?: string
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** True when all links are wanted, not only those that are new: see frontier/frontier.ts. */
  readonly keepLinks: boolean
}

/** Redirects in a row that are followed; the next one is an error. */
export const MAX_REDIRECTS = 20

/** Order of visits within a host: by depth, then by redirects since the last link. */
export function levelOf(place: { readonly depth: number; readonly redirects: number }): number {
  return place.depth * (MAX_REDIRECTS + 1) + place.redirects
}
