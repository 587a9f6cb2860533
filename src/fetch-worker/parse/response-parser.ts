import type { Fingerprint } from '../../duplicates/page-fingerprint.ts'
import { isHtml } from '../../fetch/content-type.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import { locationOf } from '../../fetch/redirect-location.ts'
import type { FindStyleAssets } from '../../html/style-sheet/page-styles.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { PageExtractor } from '../../page-data/page-extractor.ts'
import { isGone } from '../../records/content-version.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import type { RenderedPage } from '../../render/rendered-page.ts'
import { productToken } from '../../robots/product-token.ts'
import { plainFormsOf } from '../../traps/url-alias.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { LinkFilter } from '../links/link-filter.ts'
import { LinkGraphEdges } from '../links/link-graph-edges.ts'
import { LinkRules } from '../links/link-rules.ts'
import type { SeenCheck } from '../links/seen-check.ts'
import { PageReader } from '../page/page-reader.ts'
import type { PageResponse } from '../page/page-reading.ts'
import type { SitemapParts } from '../sitemap-parts.ts'
import { canonicalField } from './canonical-field.ts'
import { withEmptyElementsClosed } from './close-empty-elements.ts'
import { followRedirect } from './follow-redirect.ts'
import { parsePage } from './parse-page.ts'
import { parseRenderedPage, routesIn } from './parse-rendered-page.ts'
import { parseSitemap } from './parse-sitemap.ts'
import { parseStyleSheet } from './parse-style-sheet.ts'
import { type ParsedResponse, type ParseTools, UNPARSED } from './parsed-response.ts'
import { mayListUrls, startsAsSitemap } from './sitemap/looks-like-sitemap.ts'

/** Tools that only some crawls or pages need. */
interface PageTools {
  readonly extractor: PageExtractor | undefined
  readonly fingerprint: Fingerprint | undefined
  readonly sitemapParts: SitemapParts | undefined
  /** Undefined without `--assets`. */
  readonly findStyleAssets: FindStyleAssets | undefined
}

/** Parses responses that lead to further URLs: redirects, pages, sitemaps and style sheets. */
export class ResponseParser {
  readonly rules: LinkRules
  readonly #tools: ParseTools
  /** True if URLs of single-page apps that differ only in their fragments are different URLs. */
  readonly #keepsRoutes: boolean

  constructor(setup: WorkerSetup, seenCheck: SeenCheck, pageTools: PageTools) {
    const { maxRedirects, sitemaps, sitemapSince, traps } = setup
    const rules = new LinkRules(setup)
    this.rules = rules
    this.#keepsRoutes = setup.render !== 'never'
    const filter = new LinkFilter(rules)
    this.#tools = {
      rules,
      filter,
      seenCheck,
      maxRedirects,
      sitemaps,
      sitemapSince,
      traps,
      ...pageTools,
      productToken: productToken(setup.userAgent),
      pageReader: new PageReader(setup, rules, filter, pageTools.extractor !== undefined),
      linkGraph: LinkGraphEdges.open(setup),
    }
  }

  /** Adds the host of a URL to the scope. */
  widen(url: string): void {
    this.rules.widen(url)
    this.#forget()
  }

  /** Excludes links to these pages of a login form from now on. */
  excludeLoginPages(loginPages: readonly string[]): void {
    this.rules.excludeLoginPages(loginPages)
    this.#forget()
  }

  /** Returns whether a response is an HTML page that is read. */
  isPage(crawlUrl: CrawlUrl, response: FetchResponse): response is PageResponse {
    const { status, body } = response
    if (status < 200 || status >= 300 || body === undefined || body.length === 0) return false
    return !this.rules.isCheckedOnly(crawlUrl) && hasPage(crawlUrl, response)
  }

  /** Parses a page as a browser shows it. */
  parseRendered(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    rendered: RenderedPage,
  ): Promise<ParsedResponse> {
    return parseRenderedPage(atDocument(crawlUrl), response, rendered, this.#tools)
  }

  /** Parses a response. Returns a promise only if that takes more than this turn of the event loop. */
  parse(found: CrawlUrl, response: FetchResponse): ParsedResponse | Promise<ParsedResponse> {
    const crawlUrl = atDocument(found)
    if (isRedirect(response.status))
      return followRedirect(crawlUrl, locationOf(response), this.#tools)
    if (this.rules.isCheckedOnly(crawlUrl)) return UNPARSED
    const { status, body, contentType } = response
    if (status >= 300) return isGone(status) ? this.#unparsed(crawlUrl) : UNPARSED
    if (hasPage(crawlUrl, response)) {
      // Without a body, there may still be links in the Link header.
      const page = hasBody(response) ? response : { ...response, body: Buffer.alloc(0) }
      return this.#parsePage(crawlUrl, withEmptyElementsClosed(page))
    }
    if (hasBody(response) && contentType?.type === 'text/css' && this.#tools.findStyleAssets)
      return parseStyleSheet(crawlUrl, response, this.#tools)
    if (body !== undefined && mayListUrls(crawlUrl))
      return parseSitemap(crawlUrl, body, this.#tools)
    return this.#file(crawlUrl, response)
  }

  /** Returns the result for a file without URLs. Its canonical URL can only be in a header. */
  #file(crawlUrl: CrawlUrl, response: FetchResponse): ParsedResponse {
    const parsed = response.body === undefined ? this.#unparsed(crawlUrl) : UNPARSED
    if (response.headers['link'] === undefined) return parsed
    return { ...parsed, fields: canonicalField(crawlUrl.url, response) }
  }

  #parsePage(crawlUrl: CrawlUrl, page: PageResponse): ParsedResponse | Promise<ParsedResponse> {
    if (!this.#keepsRoutes) return parsePage(crawlUrl, page, this.#tools)
    const routes = routesIn(crawlUrl, page, this.#tools)
    return parsePage(crawlUrl, page, this.#tools, { links: [], routes })
  }

  /** Forgets decisions on links, after a change of the rules. */
  #forget(): void {
    this.#tools.filter.forget()
    this.#tools.pageReader.forget()
  }

  /** Returns the result for a file, or for an absent body. It may still serve as evidence about aliases of its URL. */
  #unparsed({ url }: CrawlUrl): ParsedResponse {
    if (!this.#tools.traps || plainFormsOf(url).length === 0) return UNPARSED
    const trapSignals = { hasNewContent: false, linkCount: 0, alias: {} }
    return { ...UNPARSED, findings: { ...UNPARSED.findings, trapSignals } }
  }
}

/** Returns whether a response is HTML, and not a sitemap that the server calls HTML. */
function hasPage(crawlUrl: CrawlUrl, { body, contentType }: FetchResponse): boolean {
  if (!isHtml(contentType?.type ?? '')) return false
  return body === undefined || !mayListUrls(crawlUrl) || !startsAsSitemap(body)
}

function hasBody(response: FetchResponse): response is PageResponse {
  return response.body !== undefined
}

/** Returns a page with the route removed from its URL: its links don't depend on the route. */
function atDocument(crawlUrl: CrawlUrl): CrawlUrl {
  return crawlUrl.url.includes('#') ? { ...crawlUrl, url: withoutFragment(crawlUrl.url) } : crawlUrl
}
