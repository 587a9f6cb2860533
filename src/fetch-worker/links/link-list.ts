import { MAX_LINK_CHARACTERS } from '../../html/link-limits.ts'
import { type CrawlUrl, MAX_SAME_DEPTH_HOPS } from '../../records/crawl-url.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import type { RewriteRule } from '../../url/canonical-rules.ts'
import type { LinkResolver } from '../../url/resolve.ts'
import type { LinkTarget } from './link-targets.ts'

/** A URL that `--canonicalize` or `--strip-query` changed. */
export interface UrlRewrite {
  readonly before: string
  readonly rules: readonly RewriteRule[]
}

/** The links of a page or header, filtered. */
export interface FilteredLinks {
  /** URLs to follow, each once. */
  readonly urls: readonly string[]
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
}

export const NO_FILTERED_LINKS: FilteredLinks = { urls: [], skips: [], rewrites: [] }

/** Joins two lists of URLs without duplicates. @param first a list without duplicates */
export function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : [...new Set([...first, ...second])]
}

/** The number of characters that are left for the URLs of links. */
export interface UrlBudget {
  left: number
}

/** A list of links while they are filtered. */
export class LinkList implements FilteredLinks {
  readonly urls: string[] = []
  readonly skips: Skip[] = []
  readonly rewrites: UrlRewrite[] = []
  readonly resolver: LinkResolver
  /** Unique among all lists. */
  readonly #number: number
  readonly #from: CrawlUrl
  readonly #depth: number
  readonly #budget: UrlBudget

  /** @param depth of the URLs that its links lead to */
  constructor(
    number: number,
    resolver: LinkResolver,
    from: CrawlUrl,
    depth: number,
    budget: UrlBudget = { left: MAX_LINK_CHARACTERS },
  ) {
    this.#number = number
    this.resolver = resolver
    this.#from = from
    this.#depth = depth
    this.#budget = budget
  }

  get isFull(): boolean {
    return this.#budget.left <= 0
  }

  /** @param reason the reason not to follow the link; undefined if it is followed */
  add(target: LinkTarget, reason: SkipReason | undefined): void {
    this.#budget.left -= target.url.length
    if (reason !== undefined) this.skip(target.url, reason)
    else if (target.lastList !== this.#number) {
      target.lastList = this.#number
      this.urls.push(target.url)
    }
  }

  skip(url: string, reason: SkipReason): void {
    this.skips.push({ url, via: this.#from.url, depth: this.#depth, reason })
  }
}

/** Skips the assets or sitemaps of a URL that is already the maximum number of hops at the same depth from a link. */
export function limitSameDepth(links: FilteredLinks, from: CrawlUrl): FilteredLinks {
  return from.sameDepthHops < MAX_SAME_DEPTH_HOPS ? links : skipAll(links, from, 'limit')
}

/** Skips all links that would have been followed at the depth of their page. */
export function skipAll(
  links: FilteredLinks,
  { url: via, depth }: CrawlUrl,
  reason: SkipReason,
): FilteredLinks {
  const skips = links.urls.map((url) => ({ url, via, depth, reason }))
  return { ...links, urls: [], skips: [...links.skips, ...skips] }
}
