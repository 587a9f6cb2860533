import type { CrawlUrl } from '../../records/crawl-url.ts'
import { limitSameDepth } from '../links/link-list.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

/** URLs of a style sheet that are looked at. */
const MAX_URLS = 10_000

/** Finds what a style sheet loads: style sheets, images and fonts. */
export async function parseStyleSheet(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { filter, seenCheck }: ParseTools,
): Promise<ParsedResponse> {
  const { cssUrls } = await import('../../mirror/css-urls.ts')
  const hrefs = new Set<string>()
  for (const { url } of cssUrls(body.toString())) {
    if (url !== '' && !url.startsWith('#') && hrefs.size < MAX_URLS) hrefs.add(url)
  }
  const links = [...hrefs].map((href) => ({ href }))
  const filtered = filter.filter(links, crawlUrl, {}, crawlUrl.depth)
  const { urls, skips, rewrites } = limitSameDepth(filtered, crawlUrl)
  const linkCount = urls.length
  if (linkCount === 0) {
    return { ...UNPARSED, findings: { ...UNPARSED.findings, linkCount }, skips, rewrites }
  }
  const discovered = seenCheck.countNew(urls, crawlUrl, 'asset')
  return {
    fields: { discovered },
    findings: { ...sameDepthFindings({ hop: 'asset', urls }), linkCount },
    skips,
    rewrites,
  }
}
