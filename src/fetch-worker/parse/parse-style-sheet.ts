import { decodePage, encodingOf } from '../../html/charset/decode-page.ts'
import { bomEncoding } from '../../html/reference-scanner/declared-charset.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { PageResponse } from '../page/page-reading.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

/** Matches the declaration of an encoding at the start of a style sheet (CSS Syntax, 3.2). */
const DECLARATION = /^@charset "([^"]{1,100})";/
const MAX_DECLARATION = 120

/** Finds the files that a style sheet loads: style sheets, images and fonts. */
export async function parseStyleSheet(
  crawlUrl: CrawlUrl,
  { body, contentType }: Pick<PageResponse, 'body' | 'contentType'>,
  { filter, linkGraph, seenCheck }: Pick<ParseTools, 'filter' | 'linkGraph' | 'seenCheck'>,
): Promise<ParsedResponse> {
  const { styleSheetAssets } = await import('../../html/style-sheet/page-styles.ts')
  const charset = encodingOfSheet(body, contentType?.charset)
  const assets = styleSheetAssets(decodePage(body, charset))
  const hrefs = assets.map(({ url }) => url)
  const { urls, skips, rewrites } = filter.filterAssets(hrefs, crawlUrl)
  const linkCount = urls.length
  const pageLinks = linkGraph?.ofStyleSheet(crawlUrl.url, assets)
  const found = { linkCount, ...(pageLinks !== undefined && { pageLinks }) }
  if (linkCount === 0) {
    const findings = { ...UNPARSED.findings, ...found }
    return { fields: { charset }, findings, skips, rewrites }
  }
  const discovered = seenCheck.addSameDepth(urls, crawlUrl, 'asset')
  return {
    fields: { charset, discovered },
    findings: { ...sameDepthFindings({ hop: 'asset', urls }), ...found },
    skips,
    rewrites,
  }
}

/** Returns the encoding of a style sheet: that of its BOM, or else of the Content-Type, or else of its `@charset`. */
function encodingOfSheet(body: Buffer, charset: string | undefined): string {
  const sent = bomEncoding(body) ?? encodingOf(charset ?? '')
  if (sent !== undefined) return sent
  const [, label = ''] = DECLARATION.exec(body.toString('latin1', 0, MAX_DECLARATION)) ?? []
  const declared = encodingOf(label)
  // In UTF-16, the declaration would not be found.
  return declared === undefined || declared.startsWith('utf-16') ? 'utf-8' : declared
}
