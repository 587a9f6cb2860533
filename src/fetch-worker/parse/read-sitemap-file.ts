import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import type { Rewriting } from '../links/link-list.ts'
import { leadsBeside, limited, type Reading, type ReadingTools, UNREAD } from './reading.ts'

/** As much of a seed as tells whether it is a sitemap. */
const GLANCE = { maxBytes: 2 ** 16, maxEntries: 1 }

/** Finds the pages and further sitemaps that a sitemap or a feed names. */
export async function readSitemapFile(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { gate, discoverer, sitemaps, linker }: ReadingTools,
): Promise<Reading> {
  // Loaded on the first need: few crawls have one, and the parser takes 6 MB, in each thread.
  const { readSitemap } = await import('./sitemap/read-sitemap.ts')
  // Seeds, and where they redirect, may be anything.
  const mayBeOther = crawlUrl.hop !== 'sitemap'
  if (!sitemaps && mayBeOther) {
    const { pages, sitemaps: parts } = await readSitemap(body, () => {}, { mayBeOther, ...GLANCE })
    return {
      ...UNREAD,
      leadsTo: { ...UNREAD.leadsTo, linkCount: 0, isUnreadSitemap: pages + parts > 0 },
    }
  }
  const urls = new Set<string>()
  const skips: Skip[] = []
  const rewritings: Rewriting[] = []
  const list = linker?.listOf(crawlUrl.url)
  let discovered = 0
  const onEntries = (entries: readonly { readonly href: string }[]) => {
    const links = entries.map(({ href }) => ({ href }))
    list?.add(links)
    const admission = limited(gate.admit(links, crawlUrl, {}, crawlUrl.depth), crawlUrl)
    for (const url of admission.urls) urls.add(url)
    skips.push(...admission.skips)
    rewritings.push(...admission.rewritings)
    discovered += discoverer.claim(admission.urls, crawlUrl, 'sitemap')
  }
  const summary = await readSitemap(body, onEntries, { mayBeOther })
  if (summary.format === undefined && mayBeOther) return UNREAD
  return {
    record: { links: summary.pages + summary.sitemaps, discovered },
    leadsTo: {
      ...leadsBeside({ hop: 'sitemap', urls: [...urls] }),
      linkCount: urls.size,
      ...(list !== undefined && { pageLinks: list.end() }),
    },
    skips,
    rewritings,
  }
}
