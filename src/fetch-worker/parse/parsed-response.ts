import type { Fingerprint } from '../../duplicates/page-fingerprint.ts'
import type { FindStyleAssets } from '../../html/style-sheet/page-styles.ts'
import type { Findings, SameDepthUrls, Visited } from '../../messages/outcome.ts'
import type { PageExtractor } from '../../page-data/page-extractor.ts'
import type { Skip } from '../../records/skip.ts'
import type { FetchedFields } from '../../records/visit-record.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import type { LinkGraphEdges } from '../links/link-graph-edges.ts'
import type { UrlRewrite } from '../links/link-list.ts'
import type { LinkRules } from '../links/link-rules.ts'
import type { SeenCheck } from '../links/seen-check.ts'
import type { PageReader } from '../page/page-reader.ts'
import type { SitemapParts } from '../sitemap-parts.ts'

/** The dependencies and settings of the parsers. */
export interface ParseTools {
  readonly pageReader: Pick<PageReader, 'read' | 'forget'>
  readonly filter: LinkFilter
  readonly rules: LinkRules
  readonly seenCheck: SeenCheck
  readonly maxRedirects: number
  /** Name of the crawler in robots directives. */
  readonly productToken: string
  /** True if URLs of sitemaps are followed. */
  readonly sitemaps: boolean
  /** Entries of sitemaps that were last modified before are skipped. Milliseconds since 1970; undefined takes all. */
  readonly sitemapSince: number | undefined
  /** Undefined if all URLs of a sitemap have to be in its outcome. */
  readonly sitemapParts: Pick<SitemapParts, 'report'> | undefined
  /** Finds the files that styles of pages load. Undefined without `--assets`; then style sheets aren't parsed. */
  readonly findStyleAssets: FindStyleAssets | undefined
  /** Undefined if no output needs the targets of links. */
  readonly linkGraph: LinkGraphEdges | undefined
  /** True if the trap guard is on, and needs signals of each page. */
  readonly traps: boolean
  /** Undefined without `--content-dedup`. */
  readonly fingerprint: Fingerprint | undefined
  /** Undefined if there are neither data to extract nor hooks. */
  readonly extractor: PageExtractor | undefined
}

/** The fields that a response adds to its record, the URLs that it leads to, and the URLs that are skipped. */
export interface ParsedResponse {
  readonly fields: Pick<
    FetchedFields,
    | 'redirectsTo'
    | 'charset'
    | 'title'
    | 'links'
    | 'discovered'
    | 'noindex'
    | 'canonical'
    | 'error'
    | 'dataJson'
    | 'dataTruncated'
    | 'rendered'
    | 'renderedLinks'
    | 'robots'
    | 'textLength'
    | 'rawTitle'
    | 'rawCanonical'
    | 'rawRobots'
    | 'rawTextLength'
  >
  readonly findings: Findings &
    Pick<
      Visited,
      | 'leaves'
      | 'linkCount'
      | 'renderedUrls'
      | 'isUnreadSitemap'
      | 'foreignExample'
      | 'fingerprint'
      | 'outlinks'
      | 'pageLinks'
    >
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
}

const NOWHERE: Findings = { discovered: [], nearer: [], sameDepth: [] }

/** The result for a response that leads to no URL. */
export const UNPARSED: ParsedResponse = { fields: {}, findings: NOWHERE, skips: [], rewrites: [] }

/** Returns findings that contain only these URLs. */
export function sameDepthFindings(...sameDepth: readonly SameDepthUrls[]): Findings {
  return { ...NOWHERE, sameDepth }
}
