import type { CrawlUrl } from '../../records/crawl-url.ts'
import { leadsBeside, limited, type Reading, type ReadingTools, UNREAD } from './reading.ts'

/** URLs per style sheet that are looked at. */
const MAX_URLS = 10_000

/** Finds what a style sheet loads: other style sheets, images and fonts. */
export async function readStyleSheet(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { gate, discoverer }: ReadingTools,
): Promise<Reading> {
  const { cssUrls } = await import('../../mirror/css-urls.ts')
  const hrefs = new Set<string>()
  for (const { url } of cssUrls(body.toString())) {
    if (url !== '' && !url.startsWith('#') && hrefs.size < MAX_URLS) hrefs.add(url)
  }
  const links = [...hrefs].map((href) => ({ href }))
  const admission = gate.admit(links, crawlUrl, {}, crawlUrl.depth)
  const { urls, skips, rewritings } = limited(admission, crawlUrl)
  const linkCount = urls.length
  if (linkCount === 0) {
    return { ...UNREAD, leadsTo: { ...UNREAD.leadsTo, linkCount }, skips, rewritings }
  }
  const discovered = discoverer.claim(urls, crawlUrl, 'asset')
  return {
    record: { discovered },
    leadsTo: { ...leadsBeside({ hop: 'asset', urls }), linkCount },
    skips,
    rewritings,
  }
}
