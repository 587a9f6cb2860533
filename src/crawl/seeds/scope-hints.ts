import { BoundedMap } from '../../collections/bounded-map.ts'
import type { Config } from '../../config/schema.ts'
import type { Logger } from '../../logger.ts'
import type { Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import { fetchedFields } from '../../records/visit-record.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { scopesWholeHost } from '../../url/scope.ts'
import type { SeedTracker } from './seed-tracker.ts'

interface ScopeHintParts {
  readonly config: Pick<
    Config,
    'canonicalize' | 'cookies' | 'depth' | 'login' | 'render' | 'scope' | 'stripQuery'
  >
  readonly logger: Logger
  readonly seeds: Pick<SeedTracker, 'has' | 'hasOrigin' | 'urls'>
}

/** Maximum number of redirects that are remembered to find loops. */
const MAX_REDIRECTS = 1_000

/** Logs why a crawl covers fewer or more URLs than its settings suggest, each hint once. */
export class ScopeHints {
  readonly #parts: ScopeHintParts
  readonly #rules: CanonicalRules
  readonly #given = new Set<string>()
  /** The targets of seeds that redirect, and of the URLs that they lead to. */
  readonly #redirects = new BoundedMap<string, string>(MAX_REDIRECTS)

  constructor(parts: ScopeHintParts) {
    this.#parts = parts
    this.#rules = new CanonicalRules(parts.config.canonicalize, parts.config.stripQuery)
  }

  /** Logs a hint if `--scope path` covers a whole host, since the directory of a seed such as /docs is the root. */
  begin(): void {
    const { config, logger, seeds } = this.#parts
    if (config.scope !== 'path') return
    const url = seeds.urls.find(scopesWholeHost)
    if (url === undefined) return
    const { host, pathname } = new URL(url)
    logger.info(
      { url },
      `--scope path: the directory of ${url} is /, so all of ${host} is in the scope; with a final slash it would be ${pathname}/`,
    )
  }

  /** Logs that the robots.txt of a seed names sitemaps that aren't read. They may list pages that no page links to. */
  unreadSitemaps(origin: string, count: number): void {
    const { logger, seeds } = this.#parts
    if (count === 0 || !seeds.hasOrigin(origin) || !this.#isFirst('named-sitemaps')) return
    const text =
      count === 1 ? 'a sitemap: --sitemaps reads it' : `${count} sitemaps: --sitemaps reads them`
    logger.info({ origin }, `${origin}/robots.txt names ${text}`)
  }

  visited(crawlUrl: CrawlUrl, outcome: Visited): void {
    const { foreignExample, isUnreadSitemap } = outcome
    if (isUnreadSitemap) this.#hintAtUnreadSitemap(crawlUrl)
    if (foreignExample !== undefined) this.#hintAtForeignSitemap(crawlUrl, foreignExample)
    if (crawlUrl.depth === 0) this.#hintAtScripts(crawlUrl, outcome)
    const { redirectsTo } = isRedirect(outcome.status) ? fetchedFields(outcome.fields) : {}
    if (redirectsTo === undefined || !this.#parts.seeds.has(crawlUrl.url)) return
    this.#hintAtLoop(crawlUrl, redirectsTo)
    this.#hintAtRules(crawlUrl, redirectsTo)
  }

  /** Logs a hint at the only seed if it is a page without a link: otherwise the crawl of an app ends without a reason. */
  #hintAtScripts({ url }: CrawlUrl, { fields, status }: Visited): void {
    const { config, seeds } = this.#parts
    const mayNeedScripts = config.render === 'never' && config.depth > 0
    if (!mayNeedScripts || status !== 200 || seeds.urls.length > 1 || !seeds.has(url)) return
    const { bytes, links } = fetchedFields(fields)
    if (bytes === 0 || links !== 0) return
    const text = `${url} has no links; if scripts build the page, a crawl with --render auto finds them`
    this.#warn('scripts', url, text)
  }

  /** Logs a hint at a seed that is a sitemap whose URLs are not followed: otherwise the crawl seems to find nothing. */
  #hintAtUnreadSitemap({ url }: CrawlUrl): void {
    this.#warn('unread-sitemap', url, `${url} is a sitemap: --sitemaps crawls what it lists, too`)
  }

  /** Logs a hint at a sitemap of foreign URLs. The sitemap of a copied site may list the URLs of the original. */
  #hintAtForeignSitemap({ url }: CrawlUrl, example: string): void {
    const text = `All URLs of the sitemap ${url} are outside the scope, such as ${example}`
    this.#warn(
      'foreign-sitemap',
      url,
      `${text}: another --scope, or a seed there, would crawl them`,
    )
  }

  /** Logs a hint at a seed whose redirects lead back to it, as on sites that need cookies. */
  #hintAtLoop({ url }: CrawlUrl, redirectsTo: string): void {
    this.#redirects.set(url, redirectsTo)
    const loop = this.#loopOf(redirectsTo)
    if (loop.length === 0) return
    this.#warn('loop', url, describeLoop(loop) + this.#cookieAdvice(loop))
  }

  /** Returns the URLs of the loop that redirects form from a URL back to it; empty if there is none. */
  #loopOf(url: string): readonly string[] {
    const loop: string[] = []
    for (let next: string | undefined = url; next !== undefined && !loop.includes(next); ) {
      loop.push(next)
      next = this.#redirects.get(next)
      if (next === url) return loop
    }
    return []
  }

  /** Returns advice on cookies. Only a URL that redirects to itself is requested again with those that were set. */
  #cookieAdvice({ length }: readonly string[]): string {
    const { cookies, login } = this.#parts.config
    const isKept = cookies !== false || login !== undefined
    const needed = '; if the site needs its cookies, '
    if (length === 1) return isKept ? '' : `${needed}add --cookies`
    if (typeof cookies === 'string')
      return `${needed}run the command again: it sends those of ${cookies}`
    return `${needed}run the command twice with --cookies <file>: the second run sends those of the first`
  }

  /** Logs a hint at a seed that leads nowhere, since `--canonicalize` merges the target of its redirect with it. */
  #hintAtRules({ url }: CrawlUrl, redirectsTo: string): void {
    if (redirectsTo === url) return
    const { url: merged, changedBy } = this.#rules.explain(redirectsTo)
    if (merged !== url) return
    const rules = changedBy.map((rule) =>
      rule === 'strip-query' ? '--strip-query' : `--canonicalize ${rule}`,
    )
    const text = `${url} redirects to ${redirectsTo}, which is the same URL by ${rules.join(' and ')}, so it is not requested`
    this.#warn('rules', url, text)
  }

  #warn(hint: string, url: string, text: string): void {
    if (this.#isFirst(hint)) this.#parts.logger.warn({ url }, text)
  }

  #isFirst(hint: string): boolean {
    const isFirst = !this.#given.has(hint)
    this.#given.add(hint)
    return isFirst
  }
}

function describeLoop([first = '', second, ...others]: readonly string[]): string {
  if (second === undefined) return `${first} redirects to itself, so it leads to no page`
  if (others.length === 0) {
    return `${first} and ${second} redirect to each other, so they lead to no page`
  }
  const steps = others.length + 1
  return `${first} redirects back to itself by ${steps} other URLs, so it leads to no page`
}
