import { MAX_PAGE_LINKS } from '../../html/link-limits.ts'
import { isNofollow } from '../../html/reference-scanner/rel-keywords.ts'
import { scanPage } from '../../html/reference-scanner/scan-page.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { RenderedPage } from '../../render/rendered-page.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import { routeOf, withoutFragment } from '../../url/fragment.ts'
import { LinkResolver } from '../../url/resolve.ts'
import type { Link } from '../links/link-filter.ts'
import type { PageResponse } from '../page/page-reading.ts'
import { canonicalField } from './canonical-field.ts'
import { parsePage } from './parse-page.ts'
import type { ParsedResponse, ParseTools } from './parsed-response.ts'
import { type PageFeatures, renderingChanges } from './rendering-changes.ts'

/** A page with its links resolved. */
interface ResolvedPage extends PageFeatures {
  readonly links: readonly Link[]
}

/**
 * Parses a page as a browser shows it. Its links include those that it had before its scripts ran. Its other fields
 * describe the browser's tree, except for the charset.
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
  const sent = scan(crawlUrl, response, tools.productToken)
  const shown = scan(crawlUrl, page, tools.productToken)
  const outsideLinks = outside.map(({ href, ...rest }) => ({ ...rest, href: targetOf(href) }))
  const links = [...sent.links, ...outsideLinks]
  const added = newUrls([...shown.links, ...outsideLinks], sent.links)
  const renderedLinks = added.length
  const routes = routesAmong([...shown.links, ...links], tools)
  const changes = await renderingChanges(sent, shown)
  const parsed = await parsePage(crawlUrl, page, tools, { links, routes })
  return {
    ...parsed,
    fields: {
      ...parsed.fields,
      charset: sent.charset,
      links: sent.links.length + renderedLinks,
      rendered: true as const,
      renderedLinks,
      ...changes,
    },
    findings: { ...parsed.findings, renderedUrls: urlsToFollow(added, tools) },
  }
}

function scan({ url }: CrawlUrl, response: PageResponse, productToken: string): ResolvedPage {
  const { body, contentType, headers } = response
  const agents = [productToken.toLowerCase()]
  const { charset, page } = scanPage(body, contentType?.charset, {
    maxLinks: MAX_PAGE_LINKS,
    agents,
  })
  const base = { baseHref: page.base, encoding: charset }
  const resolver = new LinkResolver(url, base)
  const directives = pageDirectives(page.robots, headers['x-robots-tag'], productToken)
  const links = [...page.outlinks].map(({ href, rel }) => ({
    href: (resolver.resolve(href) ?? withoutFragment(href)) + routeOf(href),
    ...(directives.nofollow ? { rel: 'nofollow' } : rel !== undefined && { rel }),
  }))
  const { title, canonical } = page
  return {
    charset,
    title,
    directives,
    body,
    links,
    ...canonicalField(url, response, { canonical, base }),
  }
}

/** Returns the URLs of single-page apps that a page links to by fragments, if they belong to the crawl. */
export function routesIn(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  tools: ParseTools,
): readonly string[] {
  // Few pages have such fragments.
  if (!response.body.includes('#/') && !response.body.includes('#!/')) return []
  return routesAmong(scan(crawlUrl, response, tools.productToken).links, tools)
}

function routesAmong(links: readonly Link[], { rules }: ParseTools): string[] {
  const routes = links.flatMap(({ href, rel }) => {
    const route = routeOf(href)
    if (route === '' || (rules.heedsNofollow && isNofollow(rel))) return []
    const url = rules.rewrite(withoutFragment(href), [])
    return rules.whyNot(url) === undefined ? [url + route] : []
  })
  return [...new Set(routes)]
}

/** Returns the URLs that belong to the crawl, as it requests them. */
function urlsToFollow(urls: readonly string[], { rules }: ParseTools): string[] {
  return urls
    .map((url) => rules.rewrite(withoutFragment(url), []) + routeOf(url))
    .filter((url) => rules.whyNot(withoutFragment(url)) === undefined)
}

/** Returns the URLs of `links` that are not among `others`. */
function newUrls(links: readonly Link[], others: readonly Link[]): string[] {
  const known = new Set(others.map(({ href }) => href))
  return [...new Set(links.map(({ href }) => href))].filter((url) => !known.has(url))
}

/** Returns the URL of a link without its fragment, unless the fragment is a route. */
function targetOf(href: string): string {
  return withoutFragment(href) + routeOf(href)
}
