import { isNofollow } from '../../html/reference-scanner/rel-keywords.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import { type FilteredLinks, LinkList, NO_FILTERED_LINKS, type UrlBudget } from './link-list.ts'
import type { LinkRules } from './link-rules.ts'
import { type LinkTarget, LinkTargets } from './link-targets.ts'

/** A link as written in a page or its header. */
export interface Link {
  readonly href: string
  /** The value of its `rel`, which may contain `nofollow`. */
  readonly rel?: string
}

/** Options for resolving and filtering the links of a page or header. */
export interface LinkOptions extends ResolverOptions {
  /** True if the page asks crawlers not to follow its links. */
  readonly nofollow?: boolean
  /** The budget that several lists of links share; by default, each list has its own. */
  readonly budget?: UrlBudget
}

/** Resolves links, and keeps those that may be followed. */
export class LinkFilter {
  readonly #rules: LinkRules
  readonly #targets = new LinkTargets()
  /** The number of lists so far. */
  #lists = 0

  constructor(rules: LinkRules) {
    this.#rules = rules
  }

  /** Clears the cache of targets. Must be called when the link rules have changed. */
  forget(): void {
    this.#targets.clear()
  }

  /**
   * Filters links.
   * @param depth of the URLs that they lead to
   */
  filter(
    links: Iterable<Link> & { readonly length: number },
    from: CrawlUrl,
    options: LinkOptions,
    depth: number,
  ): FilteredLinks {
    // Creating a resolver parses the page's URL, which most pages don't need here: their headers have no links.
    if (links.length === 0) return NO_FILTERED_LINKS
    const resolver = new LinkResolver(from.url, options)
    const list = new LinkList(++this.#lists, resolver, from, depth, options.budget)
    for (const { href, rel } of links) {
      const target = this.#targetOf(href, list)
      if (target !== undefined) list.add(target, this.#reasonFor(target, options, rel))
    }
    this.#targets.clearIfFull()
    return list
  }

  /** Filters the URLs of assets, which have the depth of their page. */
  filterAssets(hrefs: readonly string[], from: CrawlUrl, options: LinkOptions = {}): FilteredLinks {
    const links = hrefs.map((href) => ({ href }))
    return this.#rules.assetsToFetch(this.filter(links, from, options, from.depth), from)
  }

  #targetOf(href: string, list: LinkList): LinkTarget | undefined {
    if (list.isFull) {
      list.skip(href, 'limit')
      return undefined
    }
    const url = list.resolver.resolve(href)
    if (url !== undefined) {
      return this.#targets.targetOf(this.#rules.rewrite(url, list.rewrites), this.#rules.whyNot)
    }
    list.skip(href, list.resolver.failureReason(href))
    return undefined
  }

  /** Returns the reason not to follow a link; undefined if it is followed. */
  #reasonFor({ reason }: LinkTarget, options: LinkOptions, rel: string | undefined) {
    if (!this.#rules.heedsNofollow) return reason
    // `nofollow` doesn't apply to links that are only checked.
    if (this.#rules.external && reason === 'out-of-scope') return reason
    return options.nofollow === true || isNofollow(rel) ? 'nofollow' : reason
  }
}
