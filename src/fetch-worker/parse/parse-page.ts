import { headerText } from '../../encoding/header-text.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import { decodePage } from '../../html/charset/decode-page.ts'
import type { LoadedAsset } from '../../html/style-sheet/page-styles.ts'
import type { SameDepthUrls, TrapSignals } from '../../messages/outcome.ts'
import { HtmlPage } from '../../page-data/html-page.ts'
import type { PageExtraction } from '../../page-data/page-extractor.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Mutable } from '../../records/mutable.ts'
import type { Skip } from '../../records/skip.ts'
import { aliasEvidence } from '../../traps/alias-evidence.ts'
import { type PlainForm, plainFormsOf } from '../../traps/url-alias.ts'
import { refreshUrl } from '../../url/refresh.ts'
import type { Link, LinkFilter } from '../links/link-filter.ts'
import { type FilteredLinks, NO_FILTERED_LINKS, union } from '../links/link-list.ts'
import type { PageReading, PageResponse } from '../page/page-reading.ts'
import { withStyles } from '../page/styled-reading.ts'
import { canonicalField } from './canonical-field.ts'
import { headerLinks } from './link-header.ts'
import type { ParsedResponse, ParseTools } from './parsed-response.ts'

/** Links of a page in addition to those in its HTML. */
interface FurtherLinks {
  readonly links: readonly Link[]
  /** URLs to follow that are distinguished by their fragments. */
  readonly routes: readonly string[]
}

const NO_MORE: FurtherLinks = { links: [], routes: [] }
const NO_SKIPS: readonly Skip[] = []
const NONE_AT_SAME_DEPTH: readonly SameDepthUrls[] = []

/** A page that was read, before its links are checked. */
interface ReadPage {
  readonly crawlUrl: CrawlUrl
  readonly response: PageResponse
  readonly tools: ParseTools
  readonly further: FurtherLinks
  readonly inHeader: readonly Link[]
  /** The shortest plain form of its URL; undefined if it has none. */
  readonly plainForm: PlainForm | undefined
  readonly reading: PageReading
  /** The files that its styles load; undefined without `--assets`. */
  readonly styled: readonly LoadedAsset[] | undefined
  /** The number of links that the page has, followed or not. */
  readonly linkTags: number
  readonly fingerprint: string | undefined
}

/** An extraction from a page, and the fields that it adds to the record. */
interface Extracted {
  readonly extraction: PageExtraction
  readonly fields: Awaited<ReturnType<PageExtraction['extract']>>
}

/**
 * Finds the links of an HTML page, and checks which are new. Returns a promise only if data is extracted, or an output
 * needs the targets of links.
 */
export function parsePage(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  tools: ParseTools,
  further = NO_MORE,
): ParsedResponse | Promise<ParsedResponse> {
  const page = readPage(crawlUrl, response, tools, further)
  const needsOnlyLinks = tools.extractor === undefined && tools.linkGraph === undefined
  return needsOnlyLinks ? checkLinks(page, undefined) : extractAndCheckLinks(page)
}

function readPage(
  crawlUrl: CrawlUrl,
  response: PageResponse,
  tools: ParseTools,
  further: FurtherLinks,
): ReadPage {
  const { body, truncated } = response
  const inHeader = concat(linksInHeaders(response), further.links)
  // The rest of a truncated page is unknown.
  const plainForm = tools.traps && !truncated ? plainFormsOf(crawlUrl.url).at(-1) : undefined
  const mayHaveSessionId = (plainForm?.ids.length ?? 0) > 0
  const read = tools.pageReader.read(crawlUrl, response, inHeader, mayHaveSessionId)
  const styled = tools.findStyleAssets?.(decodePage(body, read.charset))
  const reading = styled ? withStyles(read, crawlUrl, styled, tools.filter) : read
  const linkTags = reading.outlinks.length
  const fingerprint = truncated ? undefined : tools.fingerprint?.(body, reading.charset)
  const found = { inHeader, plainForm, reading, styled, linkTags, fingerprint }
  return { crawlUrl, response, tools, further, ...found }
}

/** Extracts data from a page, and collects its links for outputs while the scanner still has them. */
async function extractAndCheckLinks(page: ReadPage): Promise<ParsedResponse> {
  const { crawlUrl, response, tools, reading, styled, inHeader } = page
  const { body, truncated } = response
  const { outlinks: inPage, assets } = reading
  const base = baseOf(reading)
  const from = crawlUrl.url
  const sources = { from, base, inPage, assets, styled, inHeader, body, truncated }
  const pageLinks = tools.linkGraph?.ofPage(sources)
  const extraction = tools.extractor?.of(new HtmlPage(crawlUrl, response, reading))
  const extracted = extraction && { extraction, fields: await extraction.extract() }
  const parsed = checkLinks(page, extracted)
  if (pageLinks === undefined) return parsed
  return { ...parsed, findings: { ...parsed.findings, pageLinks: await pageLinks } }
}

/** Checks which links of a page are new. */
function checkLinks(page: ReadPage, extracted: Extracted | undefined): ParsedResponse {
  const { crawlUrl, tools, reading, further } = page
  const { seenCheck, rules } = tools
  const { links } = reading
  const enqueued = enqueuedLinks(extracted?.extraction, crawlUrl, reading, tools.filter)
  const named = union(union(links.urls, enqueued.urls), further.routes)
  const followed = extracted?.extraction.filterLinks(named)
  const urls = followed?.urls ?? named
  const kept = links.kept && union(links.kept, further.routes)
  const { findings, added, skips } = seenCheck.addLinks(urls, crawlUrl, links, kept)
  const newAssets = seenCheck.addSameDepth(links.assetUrls, crawlUrl, 'asset')
  const skipped = rules.splitExternal(concat(links.skips, enqueued.skips))
  const checked = seenCheck.addExternal(skipped.urls, crawlUrl)
  // During an extraction, the scanner may have read another page and forgotten these links. It can't mark them then.
  if (extracted === undefined) links.remember?.(skips)
  const linkCount = urls.length + links.omitted
  const fields = fieldsOf(page, added + newAssets)
  return {
    fields:
      extracted === undefined ? fields : { ...fields, ...extracted.fields, ...followed?.error },
    findings: withSignals(page, urls, {
      ...findings,
      linkCount,
      sameDepth: sameDepthUrls(links.assetUrls, checked),
    }),
    skips: concat(concat(skipped.skips, followed?.refused ?? NO_SKIPS), skips),
    rewrites: concat(links.rewrites, enqueued.rewrites),
  }
}

/** @param discovered the number of URLs that were found on this page first */
function fieldsOf({ crawlUrl, response, reading, linkTags }: ReadPage, discovered: number) {
  const { charset, title, noindex, canonical } = reading
  const fields: Mutable<ParsedResponse['fields']> = { charset, title, links: linkTags, discovered }
  if (noindex) fields.noindex = true
  if (canonical === undefined && response.headers['link'] === undefined) return fields
  const own = { canonical, base: baseOf(reading) }
  return { ...fields, ...canonicalField(crawlUrl.url, response, own) }
}

/** Adds the data for duplicate and trap detection. @param urls the reported links of the page inside the scope */
function withSignals(
  { crawlUrl, response, tools, reading, plainForm, fingerprint }: ReadPage,
  urls: readonly string[],
  findings: Mutable<ParsedResponse['findings']>,
): ParsedResponse['findings'] {
  if (fingerprint !== undefined) findings.fingerprint = fingerprint
  if (!tools.traps) return findings
  const { hasNewContent } = reading
  const signals: Mutable<TrapSignals> = { hasNewContent, linkCount: findings.linkCount ?? 0 }
  if (plainForm !== undefined)
    signals.alias = aliasEvidence(plainForm, crawlUrl.url, response.body, urls)
  findings.trapSignals = signals
  return findings
}

function baseOf({ base, charset }: PageReading) {
  return { baseHref: base, encoding: charset }
}

/** Returns the URLs that a hook has added to a page, filtered like its links. */
function enqueuedLinks(
  extraction: PageExtraction | undefined,
  crawlUrl: CrawlUrl,
  reading: PageReading,
  filter: LinkFilter,
): FilteredLinks {
  if (extraction === undefined) return NO_FILTERED_LINKS
  const links = extraction.enqueued.map((href) => ({ href }))
  return filter.filter(links, crawlUrl, baseOf(reading), crawlUrl.depth + 1)
}

/** Joins two lists. Most are empty, so that nothing is copied. */
function concat<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first
  return first.length === 0 ? second : [...first, ...second]
}

function sameDepthUrls(
  assets: readonly string[],
  external: readonly string[],
): readonly SameDepthUrls[] {
  if (assets.length === 0 && external.length === 0) return NONE_AT_SAME_DEPTH
  // The frontier adds the last ones first. A URL that is both an asset and a link is fetched as an asset.
  const all: SameDepthUrls[] = [
    { hop: 'external', urls: external },
    { hop: 'asset', urls: assets },
  ]
  return all.filter(({ urls }) => urls.length > 0)
}

/** Returns the links of the `Link` and `Refresh` headers; the `<base>` of a page does not apply to them. */
function linksInHeaders({ headers }: FetchResponse): readonly Link[] {
  const links = headerLinks(headers['link'])
  const refresh = headers['refresh']
  if (refresh === undefined) return links
  const href = typeof refresh === 'string' ? refreshUrl(headerText(refresh)) : undefined
  return href === undefined || href === '' ? links : [...links, { href }]
}
