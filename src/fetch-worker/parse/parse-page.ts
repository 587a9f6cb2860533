import { headerText } from '../../encoding/header-text.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import type { AliasEvidence, SameDepthUrls } from '../../messages/messages.ts'
import { HtmlPage } from '../../page-data/html-page.ts'
import type { PageExtraction } from '../../page-data/page-extractor.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { contentHashes } from '../../traps/content-hashes.ts'
import { type Alias, aliasesOf } from '../../traps/url-alias.ts'
import { refreshUrl } from '../../url/refresh.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import type { Link, LinkFilter } from '../links/link-filter.ts'
import type { FilteredLinks } from '../links/link-list.ts'
import type { PageResponse } from '../page/page-reading.ts'
import { withStyles } from '../page/styled-reading.ts'
import { headerLinks } from './link-header.ts'
import type { ParsedResponse, ParseTools } from './parsed-response.ts'

/** What follows a segment or a parameter of a URL. */
const ENDS_PART: ReadonlySet<string> = new Set(['', '/', ';', '?', '&'])

/** Links that the tree of a page doesn't show. */
interface FurtherLinks {
  readonly links: readonly Link[]
  /** URLs to follow whose fragments count. */
  readonly routes: readonly string[]
}

const NO_MORE: FurtherLinks = { links: [], routes: [] }

/** Finds the links of an HTML page, and checks which are new. */
export async function parsePage(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  { pageReader, rules, seenCheck, ...tools }: ParseTools,
  further = NO_MORE,
): Promise<ParsedResponse> {
  const { body, truncated } = response
  const inHeader = [...linksInHeaders(response), ...further.links]
  // The rest of a truncated page is unknown.
  const alias = tools.traps && !truncated ? aliasesOf(crawlUrl.url).at(-1) : undefined
  const read = pageReader.read(crawlUrl, response, inHeader, alias !== undefined)
  const { filter, pageStyles } = tools
  const reading = pageStyles ? withStyles(read, crawlUrl, body, { filter, pageStyles }) : read
  const { charset, title, outlinks, links } = reading
  const base = { baseHref: reading.base, encoding: charset }
  const fingerprint = truncated ? undefined : tools.fingerprint?.(body, charset)
  const pageLinks = tools.linkTargets?.ofPage({
    ...{ from: crawlUrl.url, base, body, truncated },
    ...{ inPage: outlinks, assets: reading.assets, inHeader },
  })
  const linkTags = outlinks.length
  const extraction = tools.extractor?.of(new HtmlPage(crawlUrl, response, reading))
  const extracted = extraction && (await extraction.extract())
  const enqueued = enqueuedLinks(extraction, crawlUrl, base, tools.filter)
  const named = union(union(links.urls, enqueued.urls), further.routes)
  const { urls, refused = [], error } = extraction?.filterLinks(named) ?? { urls: named }
  const { findings, added, skips } = seenCheck.findNew(urls, crawlUrl, links)
  const newAssets = seenCheck.countNew(links.assetUrls, crawlUrl, 'asset')
  const { urls: external, skips: otherSkips } = rules.splitExternal([
    ...links.skips,
    ...enqueued.skips,
  ])
  const checked = seenCheck.addExternal(external, crawlUrl)
  // An extraction took time, in which the scanner may have forgotten the links: it is told nothing of such pages.
  if (extraction === undefined) links.remember?.(skips)
  const linkCount = urls.length + links.omitted
  return {
    fields: {
      charset,
      ...(title !== undefined && { title }),
      ...(reading.noindex && { noindex: true as const }),
      ...canonicalField(reading.canonical, crawlUrl.url, base),
      links: linkTags,
      discovered: added + newAssets,
      ...extracted,
      ...error,
    },
    findings: {
      ...findings,
      linkCount,
      sameDepth: sameDepthUrls(links.assetUrls, checked),
      ...(pageLinks !== undefined && { pageLinks: await pageLinks }),
      ...(fingerprint !== undefined && { fingerprint }),
      ...(tools.traps && {
        trapSignals: {
          hasNewContent: reading.hasNewContent,
          links: linkCount,
          ...(alias && { alias: aliasEvidence(alias, crawlUrl, body, urls) }),
        },
      }),
    },
    skips: [...otherSkips, ...refused, ...skips],
    rewrites: [...links.rewrites, ...enqueued.rewrites],
  }
}

/** Returns the URLs that a hook has added to a page, filtered like its links. */
function enqueuedLinks(
  extraction: PageExtraction | undefined,
  crawlUrl: CrawlUrl,
  base: ResolverOptions,
  filter: LinkFilter,
): FilteredLinks {
  const links = (extraction?.enqueued ?? []).map((href) => ({ href }))
  return filter.filter(links, crawlUrl, base, crawlUrl.depth + 1)
}

function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : [...new Set([...first, ...second])]
}

/** Returns the evidence that the page is another one under an alias of its URL. */
function aliasEvidence(
  alias: Alias,
  { url }: CrawlUrl,
  body: Buffer,
  urls: readonly string[],
): AliasEvidence {
  // A session id differs in each link; an id that stays the same selects the content.
  const others = alias.ids.length === 0 ? [] : urls.filter((each) => each !== url)
  const isKept = alias.ids.some((id) => others.some((each) => hasPartEndingWith(each, id)))
  const keepsIds = isKept && { keepsIds: true as const }
  return { hashes: contentHashes(body), ...keepsIds }
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
export function canonicalField(href: string | undefined, url: string, base: ResolverOptions) {
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
