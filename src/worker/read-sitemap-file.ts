import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Skip } from '../wire/skip.ts'
import type { Rewriting } from './link-list.ts'
import { leadsBeside, limited, type Reading, type ReadingTools } from './reading.ts'

/** Finds the pages and further sitemaps that a sitemap or a feed names. */
export async function readSitemapFile(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { gate, discoverer }: ReadingTools,
): Promise<Reading> {
  // Loaded on the first need: few crawls have one, and the parser takes 6 MB, in each thread.
  const { readSitemap } = await import('./sitemap/read-sitemap.ts')
  const urls = new Set<string>()
  const skips: Skip[] = []
  const rewritings: Rewriting[] = []
  let discovered = 0
  const summary = await readSitemap(body, (entries) => {
    const links = entries.map(({ href }) => ({ href }))
    const admission = limited(gate.admit(links, crawlUrl, {}, crawlUrl.depth), crawlUrl)
    for (const url of admission.urls) urls.add(url)
    skips.push(...admission.skips)
    rewritings.push(...admission.rewritings)
    discovered += discoverer.claim(admission.urls)
  })
  return {
    record: { links: summary.pages + summary.sitemaps, discovered },
    leadsTo: leadsBeside({ hop: 'sitemap', urls: [...urls] }),
    skips,
    rewritings,
  }
}
