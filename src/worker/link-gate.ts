import { isNofollow } from '../robots/nofollow.ts'
import { type CanonicalRule, CanonicalRules } from '../url/canonical-rules.ts'
import { LinkResolver, type ResolverOptions } from '../url/resolve.ts'
import { Scope } from '../url/scope.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { WorkerSetup } from '../wire/messages.ts'
import type { Skip, SkipReason } from '../wire/skip.ts'
import { LinkMemory, type Target, withoutFragment } from './link-memory.ts'

/** A link as a page or its header wrote it. */
export interface Link {
  readonly href: string
  /** Words of its `rel`; one of them may ask not to follow it. */
  readonly rel?: string
  /** What it shows, where somebody asks. */
  readonly text?: string
}

/** How the links of one list are to be read. */
export interface LinkReading extends ResolverOptions {
  /** The whole page asks not to follow its links. */
  readonly nofollow?: boolean
}

/** A URL that rules of `--canonicalize` changed. */
export interface Rewriting {
  readonly before: string
  readonly rules: readonly CanonicalRule[]
}

/** What became of the links of a page. */
export interface Admission {
  /** Inside the scope, each once. */
  readonly urls: readonly string[]
  readonly skips: readonly Skip[]
  readonly rewritings: readonly Rewriting[]
}

/**
 * Characters of the URLs that a page's links resolve to. A base URL of 8,000 characters would make
 * 800 MB of 100,000 links of one character.
 */
const MAX_CHARACTERS = 2 ** 24

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

  /**
   * @param reading how links of this page are to be resolved
   * @param depth where they would stand
   */
  admit(links: readonly Link[], from: CrawlUrl, reading: LinkReading, depth: number): Admission {
    // Most pages have no links in their header: a resolver would parse the page's URL for nothing.
    if (links.length === 0) return NONE
    const resolver = new LinkResolver(from.url, reading)
    const known = this.#memory.hrefsAt(resolver)
    const list = ++this.#lists
    const urls: string[] = []
    const skips: Skip[] = []
    const rewritings: Rewriting[] = []
    const heedsNofollow = this.#heedsNofollow
    let room = MAX_CHARACTERS
    const skip = (url: string, reason: SkipReason) =>
      skips.push({ url, via: from.url, depth, reason })
    for (const { href, rel } of links) {
      if (room <= 0) {
        skip(href, 'limit')
        continue
      }
      const target =
        known.get(withoutFragment(href)) ?? this.#resolve(href, resolver, known, rewritings)
      if (target === undefined) {
        skip(href, resolver.whyNot(href))
        continue
      }
      room -= target.url.length
      const nofollow = heedsNofollow && (reading.nofollow === true || isNofollow(rel))
      // Asking is not following.
      const isAsked = this.#external && target.reason === 'out-of-scope'
      const reason = nofollow && !isAsked ? 'nofollow' : target.reason
      if (reason !== undefined) skip(target.url, reason)
      else if (target.list !== list) {
        target.list = list
        urls.push(target.url)
      }
    }
    this.#memory.trim()
    return { urls, skips, rewritings }
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

  /** Undefined when the href names no URL that can be crawled. */
  #resolve(
    href: string,
    resolver: LinkResolver,
    known: Map<string, Target>,
    rewritings: Rewriting[],
  ): Target | undefined {
    const joined = resolver.join(href)
    const resolved = joined ?? resolver.parse(href)
    if (resolved === undefined) return undefined
    const target = this.#memory.targetOf(this.#rewrite(resolved, rewritings), this.#whyNot)
    this.#memory.keep(known, href, joined !== undefined, target)
    return target
  }

  #rewrite(url: string, rewritings: Rewriting[]): string {
    if (this.#rules === undefined) return url
    const { url: after, changedBy: rules } = this.#rules.explain(url)
    if (after !== url) rewritings.push({ before: url, rules })
    return after
  }
}
