import { scanPage } from '../../html/reference-scanner/scan-page.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { RenderedPage } from '../../render/rendered-page.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import { LinkResolver } from '../../url/resolve.ts'
import type { Link } from '../links/link-filter.ts'
import type { PageResponse } from '../page/page-reading.ts'
import { parsePage } from './parse-page.ts'
import type { ParsedResponse, ParseTools } from './parsed-response.ts'

/** Links of a page that are looked at. */
const MAX_LINKS = 100_000

/** The links of a page, resolved. */
interface PageLinkScan {
  readonly charset: string
  readonly links: readonly Link[]
}

/**
 * Finds the links of a page as a browser shows it, and those that it had before its scripts ran. All but the links is
 * that of the browser's tree.
 */
export async function parseRenderedPage(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  { html, links: outside }: RenderedPage,
  tools: ParseTools,
): Promise<ParsedResponse> {
  const body = Buffer.from(html.buffer, html.byteOffset, html.length)
  const contentType = { type: 'text/html', charset: 'utf-8' }
  const page = { ...response, body, contentType }
  const sent = scanLinks(crawlUrl, response, tools.productToken)
  const shown = scanLinks(crawlUrl, page, tools.productToken)
  const added = newUrls([...shown.links, ...outside], sent.links)
  const renderedLinks = added.length
  const parsed = await parsePage(crawlUrl, page, tools, [...sent.links, ...outside])
  return {
    ...parsed,
    fields: {
      ...parsed.fields,
      ...{ charset: sent.charset, links: sent.links.length + renderedLinks },
      ...{ rendered: true as const, renderedLinks },
    },
    findings: {
      ...parsed.findings,
      renderedUrls: added
        .map((url) => tools.rules.rewrite(url, []))
        .filter((url) => tools.rules.whyNot(url) === undefined),
    },
  }
}

function scanLinks(
  { url }: CrawlUrl,
  { body, contentType, headers }: PageResponse,
  productToken: string,
): PageLinkScan {
  const agents = [productToken.toLowerCase()]
  const { charset, page } = scanPage(body, contentType?.charset, { maxLinks: MAX_LINKS, agents })
  const resolver = new LinkResolver(url, { baseHref: page.base, encoding: charset })
  const { nofollow } = pageDirectives(page.robots, headers['x-robots-tag'], productToken)
  const links = [...page.outlinks].map(({ href, rel }) => ({
    href: resolver.resolve(href) ?? href,
    ...(nofollow ? { rel: 'nofollow' } : rel !== undefined && { rel }),
  }))
  return { charset, links }
}

/** Returns the URLs that are among some links and not among others. */
function newUrls(links: readonly Link[], others: readonly Link[]): string[] {
  const known = new Set(others.map(({ href }) => href))
  const urls = new Set(links.map(({ href }) => withoutFragment(href)))
  return [...urls].filter((url) => !known.has(url))
}

function withoutFragment(href: string): string {
  return href.split('#', 1)[0] ?? ''
}
