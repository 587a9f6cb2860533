import { headerText } from '../../encoding/header-text.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import { headerLinks } from '../../html/scanner/link-header.ts'
import type { ScannedPage } from '../../html/scanner/page-parts.ts'
import { scanPage } from '../../html/scanner/scan-page.ts'
import type { SameDepthUrls } from '../../messages/messages.ts'
import { HtmlPage } from '../../page-data/html-page.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import { aliasesOf } from '../../traps/alias.ts'
import { contentHashes } from '../../traps/boilerplate/text-hashes.ts'
import { refreshUrl } from '../../url/refresh.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import type { Link, LinkFilter, LinkOptions } from '../links/link-filter.ts'
import { limitSameDepth, type ParsedResponse, type ParseTools } from './parsed-response.ts'

/** Links of a page that are looked at. */
const MAX_LINKS = 100_000

/** What follows a segment or a parameter of a URL. */
const ENDS_PART: ReadonlySet<string> = new Set(['', '/', ';', '?', '&'])

/** A response whose body was kept. */
type PageResponse = FetchResponse & { readonly body: Buffer }

/** Finds the links of an HTML page, and checks which are new. */
export async function parsePage(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  { filter, seenCheck, assets, productToken, boilerplate, ...tools }: ParseTools,
): Promise<ParsedResponse> {
  const { headers, contentType, body } = response
  const agents = [productToken.toLowerCase()]
  const scanOptions = { maxLinks: MAX_LINKS, agents, assets, samples: boilerplate?.samples }
  const scanned = scanPage(body, contentType?.charset, scanOptions)
  const { charset, page } = scanned
  // At once: the next page that is scanned overwrites the samples.
  const hasNewContent = boilerplate?.hasNewContent(crawlUrl.url) ?? true
  // The rest of a truncated page is unknown.
  const fingerprint = response.truncated ? undefined : tools.fingerprint?.(body, charset)
  const extraction = tools.extractor?.of(new HtmlPage(crawlUrl, response, scanned))
  const extracted = await extraction?.extract()
  const { noindex, nofollow } = pageDirectives(page.robots, headers['x-robots-tag'], productToken)
  const base = { baseHref: page.base, encoding: charset }
  const links = filterLinks(crawlUrl, response, page, { ...base, nofollow }, filter)
  const { urls, refused, error } = extraction?.filterLinks(links.urls) ?? {
    urls: links.urls,
    refused: [],
  }
  const { findings, added, skips } = seenCheck.findNew(urls, crawlUrl)
  const newAssets = seenCheck.countNew(links.assetUrls, crawlUrl, 'asset')
  const { urls: external, skips: otherSkips } = filter.splitExternal(links.skips)
  const checked = seenCheck.addExternal(external, crawlUrl)
  const { truncated } = response
  const pageLinks = await tools.linkTargets?.ofPage({
    ...{ from: crawlUrl.url, base, body, truncated },
    ...links.sources,
  })
  return {
    fields: {
      charset,
      ...(page.title !== undefined && { title: page.title }),
      ...(noindex && { noindex: true as const }),
      ...canonicalField(page.canonical, crawlUrl.url, base),
      links: page.outlinks.length,
      discovered: added + newAssets,
      ...extracted,
      ...error,
    },
    findings: {
      ...findings,
      linkCount: urls.length,
      sameDepth: sameDepthUrls(links.assetUrls, checked),
      ...(pageLinks !== undefined && { pageLinks }),
      ...(fingerprint !== undefined && { fingerprint }),
      ...(tools.traps && {
        trapSignals: { hasNewContent, ...aliasEvidence(crawlUrl, response, urls) },
      }),
    },
    skips: [...otherSkips, ...refused, ...skips],
    rewrites: links.rewrites,
  }
}

/** Filters the links of a page and of its headers, and the assets that it loads. */
function filterLinks(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  page: ScannedPage,
  { nofollow = false, ...base }: LinkOptions,
  filter: LinkFilter,
) {
  const { depth } = crawlUrl
  const inPage = filter.filterPage(page.outlinks, crawlUrl, { ...base, nofollow }, depth + 1)
  const ofHeaders = linksInHeaders(response)
  const inHeader = filter.filter(ofHeaders, crawlUrl, { nofollow }, depth + 1)
  const assets = page.assets.map((href) => ({ href }))
  const loaded = limitSameDepth(filter.filter(assets, crawlUrl, base, depth), crawlUrl)
  return {
    urls: inHeader.urls.length === 0 ? inPage.urls : union(inPage.urls, inHeader.urls),
    assetUrls: loaded.urls,
    skips: [...inPage.skips, ...inHeader.skips, ...loaded.skips],
    rewrites: [...inPage.rewrites, ...inHeader.rewrites, ...loaded.rewrites],
    sources: { inPage: page.outlinks, assets, inHeader: ofHeaders },
  }
}

/** Returns the evidence that the page is another one under an alias of its URL. */
function aliasEvidence(
  { url }: CrawlUrl,
  { body, truncated }: PageResponse,
  urls: readonly string[],
) {
  const alias = truncated ? undefined : aliasesOf(url).at(-1)
  const links = urls.length
  if (alias === undefined) return { links }
  // A session id differs in each link; an id that stays the same selects the content.
  const others = alias.ids.length === 0 ? [] : urls.filter((each) => each !== url)
  const isKept = alias.ids.some((id) => others.some((each) => hasPartEndingWith(each, id)))
  const keepsIds = isKept && { keepsIds: true as const }
  return { links, alias: { hashes: contentHashes(body), ...keepsIds } }
}

/** Returns whether a segment or a parameter of a URL is that text, or ends with it. */
function hasPartEndingWith(url: string, text: string): boolean {
  let at = url.indexOf(text)
  while (at >= 0 && !ENDS_PART.has(url.charAt(at + text.length))) at = url.indexOf(text, at + 1)
  return at >= 0
}

function sameDepthUrls(assets: readonly string[], external: readonly string[]): SameDepthUrls[] {
  const all: SameDepthUrls[] = [
    { hop: 'asset', urls: assets },
    { hop: 'external', urls: external },
  ]
  return all.filter(({ urls }) => urls.length > 0)
}

/** Returns the URL that a page names as its canonical one (RFC 6596), if that is another. */
function canonicalField(href: string | undefined, url: string, base: ResolverOptions) {
  const canonical = href && new LinkResolver(url, base).resolve(href)
  return canonical === undefined || canonical === '' || canonical === url ? {} : { canonical }
}

/** Returns the links of the `Link` and `Refresh` headers; the `<base>` of a page does not apply to them. */
function linksInHeaders({ headers }: FetchResponse): readonly Link[] {
  const links = headerLinks(headers['link'])
  const refresh = headers['refresh']
  const href = typeof refresh === 'string' ? refreshUrl(headerText(refresh)) : undefined
  return href === undefined || href === '' ? links : [...links, { href }]
}

function union(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}
