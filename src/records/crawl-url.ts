import type { ContentVersion } from './content-version.ts'

/** The kind of step that led to a URL. */
export type Hop = 'seed' | 'link' | SameDepthHop

/** Hops to URLs at the same depth. */
export const SAME_DEPTH_HOPS = ['redirect', 'asset', 'sitemap', 'external'] as const
export type SameDepthHop = (typeof SAME_DEPTH_HOPS)[number]

export const HOPS: readonly Hop[] = ['seed', 'link', ...SAME_DEPTH_HOPS]

/** The length of the path from a seed to a URL. */
export interface PathLength {
  /** Links followed from a seed. */
  readonly depth: number
  /** Hops of length 0 since the last link or the seed: redirects, assets, sitemaps. */
  readonly sidesteps: number
  /** The number of redirects in a row at the end of the path. */
  readonly redirects: number
}

/** A URL to fetch. */
export interface CrawlUrl extends PathLength {
  /** The id of the URL in the frontier. */
  readonly id: number
  readonly url: string
  readonly hop: Hop
  /** The page it was found on; absent for seeds. */
  readonly via?: string | undefined
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The number of attempts that failed; one that was lost with its worker or process doesn't count. */
  readonly failures: number
  /** True if the frontier needs all links, not only the new ones: see frontier/base-frontier.ts. */
  readonly keepLinks: boolean
  /** True if the URL has its record, and is fetched again only for its links. */
  readonly isReread?: true | undefined
  /** The content at its last visit; null when there was none, absent without `--revisit-after`. */
  readonly before?: ContentVersion | null
}

/** Returns whether a URL is a seed, or one that a seed redirects to. */
export function isSeedOrItsRedirect({ hop, depth }: Pick<CrawlUrl, 'hop' | 'depth'>): boolean {
  return hop === 'seed' || (hop === 'redirect' && depth === 0)
}

/** Assets and sitemaps that are more hops of length 0 away are not followed: no honest site nests so deep. */
export const MAX_SIDESTEPS = 16

/** Sidesteps that count for the order of visits; beyond them it is that of discovery. */
const SIDESTEPS = 1_024

/** Returns the rank of a URL in the order of visits of a host: by depth, then by sidesteps since the last link. */
export function levelOf({ depth, sidesteps }: Pick<PathLength, 'depth' | 'sidesteps'>): number {
  return depth * SIDESTEPS + Math.min(sidesteps, SIDESTEPS - 1)
}
