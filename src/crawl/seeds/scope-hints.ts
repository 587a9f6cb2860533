import type { Config } from '../../config/schema.ts'
import type { Logger } from '../../logger.ts'
import type { Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import { fetchedFields } from '../../records/visit-record.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { scopesWholeHost } from '../../url/scope.ts'

interface ScopeHintParts {
  readonly config: Pick<Config, 'canonicalize' | 'scope' | 'stripQuery'>
  readonly logger: Logger
  readonly seeds: { readonly urls: readonly string[]; has(url: string): boolean }
}

/** Logs why a crawl goes less or more far than its settings seem to say, each hint once. */
export class ScopeHints {
  readonly #parts: ScopeHintParts
  readonly #rules: CanonicalRules
  readonly #given = new Set<string>()

  constructor(parts: ScopeHintParts) {
    this.#parts = parts
    this.#rules = new CanonicalRules(parts.config.canonicalize, parts.config.stripQuery)
  }

  /** Says that `--scope path` takes all of a host if the directory of a seed is its root, as of /docs. */
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

  visited(crawlUrl: CrawlUrl, outcome: Visited): void {
    const { foreignExample } = outcome
    if (foreignExample !== undefined) this.#hintAtSitemap(crawlUrl, foreignExample)
    if (isRedirect(outcome.status)) this.#hintAtRules(crawlUrl, outcome)
  }

  /** The sitemap of a copy of a site may list the URLs of the original. */
  #hintAtSitemap({ url }: CrawlUrl, example: string): void {
    const text = `All URLs of the sitemap ${url} are outside the scope, such as ${example}`
    this.#warn('sitemap', url, `${text}: another --scope, or a seed there, would crawl them`)
  }

  /** A seed whose redirect `--canonicalize` merges with the seed itself leads nowhere. */
  #hintAtRules({ url }: CrawlUrl, { fields }: Visited): void {
    if (!this.#parts.seeds.has(url)) return
    const { redirectsTo } = fetchedFields(fields)
    if (redirectsTo === undefined || redirectsTo === url) return
    const { url: merged, changedBy } = this.#rules.explain(redirectsTo)
    if (merged !== url) return
    const rules = changedBy.map((rule) =>
      rule === 'strip-query' ? '--strip-query' : `--canonicalize ${rule}`,
    )
    const text = `${url} redirects to ${redirectsTo}, which is the same URL by ${rules.join(' and ')}, so it is not requested`
    this.#warn('rules', url, text)
  }

  #warn(hint: string, url: string, text: string): void {
    if (this.#given.has(hint)) return
    this.#given.add(hint)
    this.#parts.logger.warn({ url }, text)
  }
}
