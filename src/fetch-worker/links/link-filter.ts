import type { Outlinks } from '../../html/reference-scanner/found-links.ts'
import { isNofollow } from '../../html/reference-scanner/rel-keywords.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import { isAbsolute, LinkCache, type LinkTarget } from './link-cache.ts'
import { type FilteredLinks, LinkList, NO_FILTERED_LINKS, type UrlBudget } from './link-list.ts'
import type { LinkRules } from './link-rules.ts'

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
  readonly #cache = new LinkCache()
  /** The number of lists so far. */
  #lists = 0

  constructor(rules: LinkRules) {
    this.#rules = rules
  }

  /** Clears the cache of targets. Must be called when the link rules have changed. */
  forget(): void {
    this.#cache.clear()
  }

  /** Filters the links of a page. The other parameters are the same as those of `filter`. */
  filterPage(links: Outlinks, from: CrawlUrl, options: LinkOptions, depth: number): FilteredLinks {
    if (links.length === 0) return NO_FILTERED_LINKS
    const list = this.#begin(from, options, depth)
    const baseId = this.#cache.baseIdOf(list.resolver)
    for (let index = 0; index < links.length; index++) {
      const target = this.#targetAt(links, index, list, baseId)
      if (target === undefined) continue
      list.add(target, this.#reasonFor(target, options, links.relAt(index)))
    }
    this.#cache.clearIfFull()
    return list
  }

  /**
   * Filters links.
   * @param depth of the URLs that they lead to
   */
  filter(
    links: readonly Link[],
    from: CrawlUrl,
    options: LinkOptions,
    depth: number,
  ): FilteredLinks {
    // Creating a resolver parses the page's URL, which most pages don't need here: their headers have no links.
    if (links.length === 0) return NO_FILTERED_LINKS
    const list = this.#begin(from, options, depth)
    for (const { href, rel } of links) {
      const target = this.#find(href, list)?.target
      if (target !== undefined) list.add(target, this.#reasonFor(target, options, rel))
    }
    this.#cache.clearIfFull()
    return list
  }

  #begin(from: CrawlUrl, options: LinkOptions, depth: number): LinkList {
    const resolver = new LinkResolver(from.url, options)
    return new LinkList(++this.#lists, resolver, from, depth, options.budget)
  }

  /** Returns the target of a link of a page, from the cache if possible. */
  #targetAt(
    links: Outlinks,
    index: number,
    list: LinkList,
    baseId: number,
  ): LinkTarget | undefined {
    const known = list.isFull ? undefined : this.#cache.find(links, index, baseId)
    if (known !== undefined) return known
    const found = this.#find(links.hrefAt(index), list)
    if (found?.isCacheable === true) this.#cache.keep(links, index, baseId, found.target)
    return found?.target
  }

  /** Returns the target of an href, and whether the target is the same on all pages with the same base. */
  #find(href: string, list: LinkList) {
    if (list.isFull) {
      list.skip(href, 'limit')
      return undefined
    }
    const joined = list.resolver.join(href)
    const resolved = joined ?? list.resolver.resolveWithParser(href)
    if (resolved === undefined) {
      list.skip(href, list.resolver.failureReason(href))
      return undefined
    }
    const target = this.#cache.targetOf(
      this.#rules.rewrite(resolved, list.rewrites),
      this.#rules.whyNot,
    )
    return { target, isCacheable: joined !== undefined || isAbsolute(href) }
  }

  /** Returns the reason not to follow a link; undefined if it is followed. */
  #reasonFor({ reason }: LinkTarget, options: LinkOptions, rel: string | undefined) {
    if (!this.#rules.heedsNofollow) return reason
    // `nofollow` doesn't apply to links that are only checked.
    if (this.#rules.external && reason === 'out-of-scope') return reason
    return options.nofollow === true || isNofollow(rel) ? 'nofollow' : reason
  }
}
