import type { CrawlUrl } from '../../records/crawl-url.ts'
import { limitSameDepth } from '../links/link-list.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

/** Finds the files that a style sheet loads: style sheets, images and fonts. */
export async function parseStyleSheet(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { filter, linkGraph, seenCheck }: ParseTools,
): Promise<ParsedResponse> {
  const { styleSheetAssets } = await import('../../html/style-sheet/page-styles.ts')
  const assets = styleSheetAssets(body.toString())
  const links = assets.map(({ url: href }) => ({ href }))
  const filtered = filter.filter(links, crawlUrl, {}, crawlUrl.depth)
  const { urls, skips, rewrites } = limitSameDepth(filtered, crawlUrl)
  const linkCount = urls.length
  const pageLinks = linkGraph?.ofStyleSheet(crawlUrl.url, assets)
  const found = { linkCount, ...(pageLinks !== undefined && { pageLinks }) }
  if (linkCount === 0) {
    return { ...UNPARSED, findings: { ...UNPARSED.findings, ...found }, skips, rewrites }
  }
  const discovered = seenCheck.addSameDepth(urls, crawlUrl, 'asset')
  return {
    fields: { discovered },
    findings: { ...sameDepthFindings({ hop: 'asset', urls }), ...found },
    skips,
    rewrites,
  }
}
