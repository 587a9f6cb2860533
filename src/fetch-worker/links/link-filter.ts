import type { Outlinks } from '../../html/scanner/outlinks.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { isNofollow } from '../../robots/nofollow.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import { Scope } from '../../url/scope.ts'
import { isAbsolute, LinkMemory, type Target } from './link-cache.ts'
import { type Admission, LinkList } from './link-list.ts'

/** A link as a page or its header wrote it. */
export interface Link {
  readonly href: string
  /** Words of its `rel`; one of them may ask not to follow it. */
  readonly rel?: string
}

/** How the links of one list are to be read. */
export interface LinkReading extends ResolverOptions {
  /** The whole page asks not to follow its links. */
  readonly nofollow?: boolean
}

const NONE: Admission = { urls: [], skips: [], rewritings: [] }

type GateSetup = Pick<
  WorkerSetup,
  'scope' | 'widened' | 'canonicalize' | 'ignoreRobots' | 'external'
>

/** Decides which links may be followed: resolves them, and compares them with the scope. */
export class LinkGate {
  readonly #scope: Scope
  readonly #rules: CanonicalRules | undefined
  readonly #heedsNofollow: boolean
  readonly #external: boolean
  readonly #memory = new LinkMemory()
  readonly #whyNot = (url: string) => this.#scope.whyNot(url)
  /** How many lists of links came. */
  #lists = 0

  constructor(setup: GateSetup) {
    this.#scope = new Scope(setup.scope)
    for (const url of setup.widened) this.#scope.widen(url)
    this.#rules = setup.canonicalize.length > 0 ? new CanonicalRules(setup.canonicalize) : undefined
    this.#heedsNofollow = !setup.ignoreRobots
    this.#external = setup.external
  }

  /** A host joins the scope. */
  widen(url: string): void {
    this.#scope.widen(url)
    this.#memory.clear()
  }

  /** The links of a page. The other parameters are those of `admit`. */
  admitPage(links: Outlinks, from: CrawlUrl, reading: LinkReading, depth: number): Admission {
    if (links.length === 0) return NONE
    const list = this.#begin(from, reading, depth)
    const reach = this.#memory.reachOf(list.resolver)
    for (let index = 0; index < links.length; index++) {
      const target = this.#targetAt(links, index, list, reach)
      if (target === undefined) continue
      list.take(target, this.#reasonFor(target, reading, links.relAt(index)))
    }
    this.#memory.trim()
    return list
  }

  /**
   * @param reading how links of this page are to be resolved
   * @param depth where they would stand
   */
  admit(links: readonly Link[], from: CrawlUrl, reading: LinkReading, depth: number): Admission {
    // Most pages have no links in their header: a resolver would parse the page's URL for nothing.
    if (links.length === 0) return NONE
    const list = this.#begin(from, reading, depth)
    for (const { href, rel } of links) {
      const target = this.#find(href, list)?.target
      if (target !== undefined) list.take(target, this.#reasonFor(target, reading, rel))
    }
    this.#memory.trim()
    return list
  }

  /** Whether a URL is only asked for, as one out of the scope that a page or a redirect leads to. */
  isAskedOnly({ url, hop }: CrawlUrl): boolean {
    if (!this.#external || (hop !== 'external' && hop !== 'redirect')) return false
    return this.#scope.whyNot(url) === 'out-of-scope'
  }

  /** Takes those links out that are out of the scope, where they are to be asked for. */
  outside(skips: readonly Skip[]): { readonly urls: string[]; readonly skips: readonly Skip[] } {
    if (!this.#external) return { urls: [], skips }
    const { outside = [], others = [] } = Object.groupBy(skips, ({ reason }) =>
      reason === 'out-of-scope' ? 'outside' : 'others',
    )
    return { urls: [...new Set(outside.map(({ url }) => url))], skips: others }
  }

  #begin(from: CrawlUrl, reading: LinkReading, depth: number): LinkList {
    return new LinkList(++this.#lists, new LinkResolver(from.url, reading), from, depth)
  }

  /** Where a link of a page leads; what was not remembered may be from now on. */
  #targetAt(links: Outlinks, index: number, list: LinkList, reach: number): Target | undefined {
    const known = list.isFull ? undefined : this.#memory.find(links, index, reach)
    if (known !== undefined) return known
    const found = this.#find(links.hrefAt(index), list)
    if (found?.isLasting === true) this.#memory.keep(links, index, reach, found.target)
    return found?.target
  }

  /** Where an href leads, and whether it always does. */
  #find(href: string, list: LinkList) {
    if (list.isFull) {
      list.skip(href, 'limit')
      return undefined
    }
    const joined = list.resolver.join(href)
    const resolved = joined ?? list.resolver.parse(href)
    if (resolved === undefined) {
      list.skip(href, list.resolver.whyNot(href))
      return undefined
    }
    const target = this.#memory.targetOf(this.#rewrite(resolved, list), this.#whyNot)
    return { target, isLasting: joined !== undefined || isAbsolute(href) }
  }

  /** Why a link to that target is not followed. */
  #reasonFor({ reason }: Target, reading: LinkReading, rel: string | undefined) {
    if (!this.#heedsNofollow) return reason
    // Asking is not following.
    if (this.#external && reason === 'out-of-scope') return reason
    return reading.nofollow === true || isNofollow(rel) ? 'nofollow' : reason
  }

  #rewrite(url: string, { rewritings }: LinkList): string {
    if (this.#rules === undefined) return url
    const { url: after, changedBy: rules } = this.#rules.explain(url)
    if (after !== url) rewritings.push({ before: url, rules })
    return after
  }
}
