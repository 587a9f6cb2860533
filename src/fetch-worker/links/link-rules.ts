import { LoginPages } from '../../login/login-pages.ts'
import { LogoutLinks } from '../../login/logout-links.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { Scope } from '../../url/scope.ts'
import { type FilteredLinks, limitSameDepth, type UrlRewrite } from './link-list.ts'

type LinkRulesSetup = Pick<
  WorkerSetup,
  | 'loginUrl'
  | 'loginPages'
  | 'scope'
  | 'widened'
  | 'canonicalize'
  | 'stripQuery'
  | 'ignoreRobots'
  | 'external'
  | 'externalAssets'
  | 'sitemaps'
>

/** URLs out of the scope that are requested nevertheless, separated from the other skips of a page. */
interface SplitSkips {
  readonly urls: readonly string[]
  readonly skips: readonly Skip[]
}

/** The rules of a crawl for links: they decide which URLs belong to it, and which URLs are merged. */
export class LinkRules {
  /** True if `rel=nofollow` is obeyed. */
  readonly heedsNofollow: boolean
  /** True if links out of the scope are checked, but not followed. */
  readonly external: boolean
  /** True if assets out of the scope are fetched. */
  readonly #externalAssets: boolean
  readonly #sitemaps: boolean
  readonly #scope: Scope
  readonly #canonical: CanonicalRules | undefined
  /** Links that would end the session of `--login`. */
  readonly #logout: LogoutLinks | undefined
  /** Pages where a session other than that of `--login` could begin. */
  #loginPages: LoginPages | undefined

  constructor(setup: LinkRulesSetup) {
    this.#scope = new Scope(setup.scope)
    for (const url of setup.widened) this.#scope.widen(url)
    const { canonicalize, stripQuery } = setup
    const isChanging = canonicalize.length > 0 || stripQuery !== false
    this.#canonical = isChanging ? new CanonicalRules(canonicalize, stripQuery) : undefined
    this.heedsNofollow = !setup.ignoreRobots
    this.external = setup.external
    this.#externalAssets = setup.externalAssets
    this.#sitemaps = setup.sitemaps
    this.#logout = setup.loginUrl === undefined ? undefined : new LogoutLinks(setup.loginUrl)
    if (setup.loginPages !== undefined) this.#loginPages = new LoginPages(setup.loginPages)
  }

  /** Excludes links to these pages of a login form from now on. */
  excludeLoginPages(loginPages: readonly string[]): void {
    this.#loginPages = new LoginPages(loginPages)
  }

  /** Adds the host of a URL to the scope. */
  widen(url: string): void {
    this.#scope.widen(url)
  }

  /** Returns the reason why a canonical URL is not part of the crawl; undefined if it is part of it. */
  readonly whyNot = (url: string): SkipReason | undefined => {
    if (this.#logout?.has(url) === true) return 'logout'
    return this.#loginPages?.has(url) === true ? 'login' : this.#scope.whyNot(url)
  }

  /** Returns the URL that a canonical one is merged with, and adds the change to `rewrites`. */
  rewrite(url: string, rewrites: UrlRewrite[]): string {
    if (this.#canonical === undefined) return url
    const { url: after, changedBy: rules } = this.#canonical.explain(url)
    if (after !== url) rewrites.push({ before: url, rules })
    return after
  }

  /** True if URLs out of the scope are requested. */
  get leavesScope(): boolean {
    return this.external || this.#externalAssets
  }

  /** Returns whether a URL is checked but not read: with `--external`, one outside the scope. */
  isCheckedOnly({ url, hop }: CrawlUrl): boolean {
    if (!this.external || (hop !== 'external' && hop !== 'redirect')) return false
    return this.#isOutside(url)
  }

  /**
   * Separates the links out of the scope that `--external` checks from other skips. Links that `--exclude` or
   * `--exclude-path` matches are not checked.
   */
  splitExternal(skips: readonly Skip[]): SplitSkips {
    return this.external ? this.#splitOutside(skips) : { urls: [], skips }
  }

  /** Returns the assets to fetch: with `--external-assets`, also those out of the scope. */
  assetsToFetch(assets: FilteredLinks, from: CrawlUrl): FilteredLinks {
    if (!this.#externalAssets) return limitSameDepth(assets, from)
    const { urls, skips } = this.#splitOutside(assets.skips)
    return limitSameDepth({ ...assets, urls: [...assets.urls, ...urls], skips }, from)
  }

  /** Separates the targets of a redirect that are out of the scope, but belong to the crawl, from other skips. */
  splitRedirect(skips: readonly Skip[], from: CrawlUrl): SplitSkips {
    return this.external || (this.#externalAssets && this.#isOfAsset(from))
      ? this.#splitOutside(skips)
      : { urls: [], skips }
  }

  /**
   * Returns whether a URL is an asset, or an asset redirects to it. Without `--external`, only assets lead out of the
   * scope. A redirect in the scope may also belong to an entry of a sitemap; these are at depth 0, like all sitemaps.
   */
  #isOfAsset({ url, hop, depth, sameDepthHops, redirects }: CrawlUrl): boolean {
    if (hop !== 'redirect') return hop === 'asset'
    const mayBeEntry = this.#sitemaps && depth === 0
    return this.#isOutside(url) || (!mayBeEntry && sameDepthHops > redirects)
  }

  #isOutside(url: string): boolean {
    return this.#scope.whyNot(url) === 'out-of-scope'
  }

  /** Separates the URLs out of the scope from other skips, except for those that are also excluded. */
  #splitOutside(skips: readonly Skip[]): SplitSkips {
    const urls = new Set<string>()
    const others: Skip[] = []
    for (const skip of skips) {
      if (skip.reason !== 'out-of-scope') others.push(skip)
      else if (this.#scope.exclusionOf(skip.url) === undefined) urls.add(skip.url)
      else others.push({ ...skip, reason: 'excluded' })
    }
    return { urls: [...urls], skips: others }
  }
}
