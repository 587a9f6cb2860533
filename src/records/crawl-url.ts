import type { ContentVersion } from './content-version.ts'

/** The kind of step that led to a URL. */
export type Hop = 'seed' | 'link' | SameDepthHop

/** The kinds of hops to URLs at the same depth. */
export const SAME_DEPTH_HOP_KINDS = ['redirect', 'asset', 'sitemap', 'external'] as const
export type SameDepthHop = (typeof SAME_DEPTH_HOP_KINDS)[number]

export const HOPS: readonly Hop[] = ['seed', 'link', ...SAME_DEPTH_HOP_KINDS]

/** The length of the path from a seed to a URL. */
export interface PathLength {
  /** Links followed from a seed. */
  readonly depth: number
  /** Number of hops at the same depth since the last link or the seed: redirects, assets, sitemaps. */
  readonly sameDepthHops: number
  /** The number of redirects in a row at the end of the path. */
  readonly redirects: number
}

/** A URL to fetch. */
export interface CrawlUrl extends PathLength {
  /** The id of the URL in the frontier. */
  readonly id: number
  readonly url: string
  readonly hop: Hop
  /** The page on which it was found; absent for seeds. */
  readonly via?: string | undefined
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The number of attempts that failed. Attempts that were lost with their worker or process don't count. */
  readonly failures: number
  /** True if the frontier needs all links, not only the new ones: see frontier/frontier.ts. */
  readonly keepLinks: boolean
  /** True if the URL already has its record, and is fetched again only for its links. */
  readonly isReread?: true | undefined
  /** Version of the content at the last visit; null if there was none, absent without `--revisit-after`. */
  readonly before?: ContentVersion | null
}

/**
 * Returns whether a URL is a seed, or one that a seed redirects to. URLs that assets and the entries of sitemaps redirect
 * to may be at depth 0, too. Also true for redirects of sitemaps that robots.txt lists.
 */
export function isSeedOrItsRedirect({
  hop,
  depth,
  sameDepthHops,
  redirects,
}: PathLength & Pick<CrawlUrl, 'hop'>): boolean {
  return hop === 'seed' || (hop === 'redirect' && depth === 0 && sameDepthHops === redirects)
}

/** Maximum number of hops at the same depth to an asset or a sitemap. No honest site nests them so deep. */
export const MAX_SAME_DEPTH_HOPS = 16

/**
 * Maximum number of hops at the same depth that affect the order of visits. Beyond it, the order of discovery counts.
 */
const MAX_RANKED_HOPS = 1_024

/** Returns the rank of a URL in the order of visits of a host: by depth, then by hops at the same depth. */
export function levelOf({
  depth,
  sameDepthHops,
}: Pick<PathLength, 'depth' | 'sameDepthHops'>): number {
  return depth * MAX_RANKED_HOPS + Math.min(sameDepthHops, MAX_RANKED_HOPS - 1)
}

/** Returns the depth of the URLs of a level. */
export function depthOfLevel(level: number): number {
  return Math.floor(level / MAX_RANKED_HOPS)
}
