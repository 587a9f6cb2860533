import type { Content } from './content.ts'

/** How a URL was found: the kind of step that led to it. */
export type Hop = 'seed' | 'link' | 'redirect' | 'asset' | 'sitemap' | 'external'

export const HOPS: readonly Hop[] = ['seed', 'link', 'redirect', 'asset', 'sitemap', 'external']

/** How far from the seeds a URL stands. */
export interface PathLength {
  /** Links followed from a seed. */
  readonly depth: number
  /** Steps of length 0 since the last link or the seed: redirects, assets, sitemaps. */
  readonly sidesteps: number
  /** How many of them, up to here, were redirects in a row. */
  readonly redirects: number
}

/** A URL on its way to a worker. */
export interface CrawlUrl extends PathLength {
  /** Its number in the frontier. */
  readonly id: number
  readonly url: string
  readonly hop: Hop
  /** The page it was found on; absent for seeds. */
  readonly via?: string
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** How many attempts failed; one that was lost with its worker or process doesn't count. */
  readonly failures: number
  /** True when all links are wanted, not only those that are new: see frontier/host-queue-frontier.ts. */
  readonly keepLinks: boolean
  /** True when it has its record, and is fetched again for its links alone. */
  readonly isReread?: true
  /** What its last visit gave; null when there was none, absent when nobody wants to compare. */
  readonly before?: Content | null
}

/** Assets and sitemaps that are more sidesteps away are not followed: no honest site nests so deep. */
export const MAX_SIDESTEPS = 16

/** Sidesteps that are told apart; beyond them the order within a depth is that of discovery. */
const SIDESTEPS = 1_024

/** Order of visits within a host: by depth, then by sidesteps since the last link. */
export function levelOf({ depth, sidesteps }: Pick<PathLength, 'depth' | 'sidesteps'>): number {
  return depth * SIDESTEPS + Math.min(sidesteps, SIDESTEPS - 1)
}
