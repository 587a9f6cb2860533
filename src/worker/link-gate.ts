import { type CanonicalRule, CanonicalRules } from '../url/canonical-rules.ts'
import { LinkResolver, type ResolverOptions } from '../url/resolve.ts'
import { Scope } from '../url/scope.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { WorkerSetup } from '../wire/messages.ts'
import type { Skip, SkipReason } from '../wire/skip.ts'

/** A link as a page or its header wrote it. */
export interface Link {
  readonly href: string
  /** The link, or the whole page, asks not to be followed. */
  readonly nofollow: boolean
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

/** Decides which links may be followed: resolves them, and compares them with the scope. */
export class LinkGate {
  readonly #scope: Scope
  readonly #rules: CanonicalRules | undefined
  readonly #heedsNofollow: boolean

  constructor(setup: Pick<WorkerSetup, 'scope' | 'widened' | 'canonicalize' | 'ignoreRobots'>) {
    this.#scope = new Scope(setup.scope)
    for (const url of setup.widened) this.#scope.widen(url)
    this.#rules = setup.canonicalize.length > 0 ? new CanonicalRules(setup.canonicalize) : undefined
    this.#heedsNofollow = !setup.ignoreRobots
  }

  /** A host joins the scope. */
  widen(url: string): void {
    this.#scope.widen(url)
  }

  /**
   * @param base how links of this page are to be resolved
   * @param depth where they would stand
   */
  admit(links: readonly Link[], from: CrawlUrl, base: ResolverOptions, depth: number): Admission {
    // Most pages have no links in their header: a resolver would parse the page's URL for nothing.
    if (links.length === 0) return NONE
    const resolver = new LinkResolver(from.url, base)
    const urls = new Set<string>()
    const skips: Skip[] = []
    const rewritings: Rewriting[] = []
    let room = MAX_CHARACTERS
    for (const { href, nofollow } of links) {
      if (room <= 0) {
        skips.push({ url: href, via: from.url, depth, reason: 'limit' })
        continue
      }
      const resolved = resolver.resolve(href)
      room -= resolved?.length ?? 0
      const url = resolved === undefined ? undefined : this.#rewrite(resolved, rewritings)
      const reason = url === undefined ? resolver.whyNot(href) : this.#whyNot(url, nofollow)
      if (reason !== undefined) skips.push({ url: url ?? href, via: from.url, depth, reason })
      else if (url !== undefined) urls.add(url)
    }
    return { urls: [...urls], skips, rewritings }
  }

  #whyNot(url: string, nofollow: boolean): SkipReason | undefined {
    return nofollow && this.#heedsNofollow ? 'nofollow' : this.#scope.whyNot(url)
  }

  #rewrite(url: string, rewritings: Rewriting[]): string {
    if (this.#rules === undefined) return url
    const { url: after, changedBy: rules } = this.#rules.explain(url)
    if (after !== url) rewritings.push({ before: url, rules })
    return after
  }
}
