import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { limitSameDepth, type UrlRewrite } from '../links/link-list.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

/** Enough of a seed to see whether it is a sitemap. */
const GLANCE = { maxBytes: 2 ** 16, maxEntries: 1 }

/** Finds the pages and further sitemaps of a sitemap or a feed. */
export async function parseSitemap(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { filter, seenCheck, sitemaps, linkTargets }: ParseTools,
): Promise<ParsedResponse> {
  // Loaded when it is first needed: few crawls have a sitemap, and the XML parser takes 6 MB in each thread.
  const { readSitemap } = await import('./sitemap/read-sitemap.ts')
  // A seed, and what it redirects to, may be any file.
  const mayBeOther = crawlUrl.hop !== 'sitemap'
  if (!sitemaps && mayBeOther) {
    const { pages, sitemaps: parts } = await readSitemap(body, () => {}, { mayBeOther, ...GLANCE })
    return {
      ...UNPARSED,
      findings: { ...UNPARSED.findings, linkCount: 0, isUnreadSitemap: pages + parts > 0 },
    }
  }
  const urls = new Set<string>()
  const skips: Skip[] = []
  const rewrites: UrlRewrite[] = []
  const list = linkTargets?.ofSitemap(crawlUrl.url)
  let discovered = 0
  const onEntries = (entries: readonly { readonly href: string }[]) => {
    const links = entries.map(({ href }) => ({ href }))
    list?.add(links)
    const filtered = limitSameDepth(filter.filter(links, crawlUrl, {}, crawlUrl.depth), crawlUrl)
    for (const url of filtered.urls) urls.add(url)
    skips.push(...filtered.skips)
    rewrites.push(...filtered.rewrites)
    discovered += seenCheck.countNew(filtered.urls, crawlUrl, 'sitemap')
  }
  const summary = await readSitemap(body, onEntries, { mayBeOther })
  if (summary.format === undefined && mayBeOther) return UNPARSED
  return {
    fields: { links: summary.pages + summary.sitemaps, discovered },
    findings: {
      ...sameDepthFindings({ hop: 'sitemap', urls: [...urls] }),
      linkCount: urls.size,
      ...(list !== undefined && { pageLinks: list.end() }),
    },
    skips,
    rewrites,
  }
}
