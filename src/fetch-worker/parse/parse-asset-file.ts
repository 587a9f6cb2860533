import type { LoadingFile } from '../../fetch/content-type.ts'
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

/** Finds the files that a style sheet, a script or a manifest loads. */
export async function parseAssetFile(
  kind: LoadingFile,
  crawlUrl: CrawlUrl,
  { body, contentType }: Pick<PageResponse, 'body' | 'contentType'>,
  { filter, linkGraph, seenCheck }: Pick<ParseTools, 'filter' | 'linkGraph' | 'seenCheck'>,
): Promise<ParsedResponse> {
  const { assetsOfFile } = await import('../../html/loaded-assets/file-assets.ts')
  const charset = encodingOfFile(kind, body, contentType?.charset)
  const assets = assetsOfFile(kind, decodePage(body, charset))
  const hrefs = assets.map(({ url }) => url)
  const { urls, skips, rewrites } = filter.filterAssets(hrefs, crawlUrl)
  const linkCount = urls.length
  const pageLinks = linkGraph?.ofAssetFile(crawlUrl.url, assets)
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

/** Returns the encoding of a file: that of its BOM, or else of the Content-Type, or else of its `@charset`, or UTF-8. */
function encodingOfFile(kind: LoadingFile, body: Buffer, charset: string | undefined): string {
  const sent = bomEncoding(body) ?? encodingOf(charset ?? '')
  if (sent !== undefined || kind !== 'style-sheet') return sent ?? 'utf-8'
  const [, label = ''] = DECLARATION.exec(body.toString('latin1', 0, MAX_DECLARATION)) ?? []
  const declared = encodingOf(label)
  // In UTF-16, the declaration would not be found.
  return declared === undefined || declared.startsWith('utf-16') ? 'utf-8' : declared
}
