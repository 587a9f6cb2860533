import { headerText } from '../../encoding/header-text.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import { extract } from '../../html/scanner/extract.ts'
import { pageLinks } from '../../html/scanner/link-header.ts'
import type { Beside } from '../../messages/messages.ts'
import { HtmlPage } from '../../page-data/html-page.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import { aliasesOf } from '../../traps/alias.ts'
import { contentHashes } from '../../traps/boilerplate/text-hashes.ts'
import { refreshUrl } from '../../url/refresh.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import type { Link } from '../links/link-filter.ts'
import { limited, type Reading, type ReadingTools } from './reading.ts'

/** Links per page that are looked at. */
const MAX_LINKS = 100_000

/** What follows a segment or a parameter of a URL. */
const ENDS_PART: ReadonlySet<string> = new Set(['', '/', ';', '?', '&'])

/** An answer whose body was kept. */
type Page = FetchResponse & { readonly body: Buffer }

/** Finds the links of an HTML page and puts them to the URL-seen test. */
export async function readPage(
  crawlUrl: CrawlUrl,
  answer: Page,
  { gate, discoverer, assets, productToken, boilerplate, ...tools }: ReadingTools,
): Promise<Reading> {
  const { headers, contentType, body } = answer
  const agents = [productToken.toLowerCase()]
  const options = { maxLinks: MAX_LINKS, agents, assets, samples: boilerplate?.samples }
  const extracted = extract(body, contentType?.charset, options)
  const { charset, page } = extracted
  // At once: the next page that is read has the same place for what it shows.
  const hasNewContent = boilerplate?.hasNewContent(crawlUrl.url) ?? true
  // Of a page that was cut off nobody knows the rest.
  const fingerprint = answer.truncated ? undefined : tools.fingerprint?.(body, charset)
  const wished = tools.wishes?.of(new HtmlPage(crawlUrl, answer, extracted))
  const taken = await wished?.take()
  const { noindex, nofollow } = pageDirectives(page.robots, headers['x-robots-tag'], productToken)
  const { depth } = crawlUrl
  const base = { baseHref: page.base, encoding: charset }
  const inPage = gate.admitPage(page.outlinks, crawlUrl, { ...base, nofollow }, depth + 1)
  const ofHeader = headerLinks(answer)
  const inHeader = gate.admit(ofHeader, crawlUrl, { nofollow }, depth + 1)
  const assetLinks = page.assets.map((href) => ({ href }))
  const loaded = limited(gate.admit(assetLinks, crawlUrl, base, depth), crawlUrl)
  const named = inHeader.urls.length === 0 ? inPage.urls : union(inPage.urls, inHeader.urls)
  const { urls, refused, error } = wished?.choose(named) ?? { urls: named, refused: [] }
  const { findings, added, skips } = discoverer.discover(urls, crawlUrl)
  const newAssets = discoverer.claim(loaded.urls, crawlUrl, 'asset')
  const outside = gate.outside([...inPage.skips, ...inHeader.skips, ...loaded.skips])
  const asked = discoverer.claimOutside(outside.urls, crawlUrl)
  const all = { inPage: page.outlinks, assets: assetLinks, inHeader: ofHeader }
  const { truncated } = answer
  const pageLinks = await tools.linker?.of({ from: crawlUrl.url, base, body, truncated, ...all })
  return {
    record: {
      charset,
      ...(page.title !== undefined && { title: page.title }),
      ...(noindex && { noindex: true as const }),
      ...standIn(page.canonical, crawlUrl.url, base),
      links: page.outlinks.length,
      discovered: added + newAssets,
      ...taken,
      ...error,
    },
    leadsTo: {
      ...findings,
      linkCount: urls.length,
      beside: besideOf(loaded.urls, asked),
      ...(pageLinks !== undefined && { pageLinks }),
      ...(fingerprint !== undefined && { fingerprint }),
      ...(tools.traps && { reading: { hasNewContent, ...aliasReading(crawlUrl, answer, urls) } }),
    },
    skips: [...outside.skips, ...refused, ...skips],
    rewritings: [...inPage.rewritings, ...inHeader.rewritings, ...loaded.rewritings],
  }
}

/** What tells the page from others that its URL may be another name of. */
function aliasReading({ url }: CrawlUrl, { body, truncated }: Page, urls: readonly string[]) {
  const alias = truncated ? undefined : aliasesOf(url).at(-1)
  const links = urls.length
  if (alias === undefined) return { links }
  // A session is another one in each link: an id that stays says what is shown.
  const others = alias.ids.length === 0 ? [] : urls.filter((each) => each !== url)
  const isKept = alias.ids.some((id) => others.some((each) => holds(each, id)))
  return {
    links,
    alias: { hashes: contentHashes(body), ...(isKept && { keepsIds: true as const }) },
  }
}

/** Whether a URL has a segment or a parameter that is, or ends with, that text. */
function holds(url: string, text: string): boolean {
  let at = url.indexOf(text)
  while (at >= 0 && !ENDS_PART.has(url.charAt(at + text.length))) at = url.indexOf(text, at + 1)
  return at >= 0
}

function besideOf(assets: readonly string[], external: readonly string[]): Beside[] {
  const all: Beside[] = [
    { hop: 'asset', urls: assets },
    { hop: 'external', urls: external },
  ]
  return all.filter(({ urls }) => urls.length > 0)
}

/** Where a page names another one that stands for it (RFC 6596). */
function standIn(href: string | undefined, url: string, base: ResolverOptions) {
  const canonical = href && new LinkResolver(url, base).resolve(href)
  return canonical === undefined || canonical === '' || canonical === url ? {} : { canonical }
}

/** Those of the `Link` and `Refresh` headers; a page's `<base>` has no say in them. */
function headerLinks({ headers }: FetchResponse): readonly Link[] {
  const links = pageLinks(headers['link'])
  const refresh = headers['refresh']
  const href = typeof refresh === 'string' ? refreshUrl(headerText(refresh)) : undefined
  return href === undefined || href === '' ? links : [...links, { href }]
}

function union(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}
