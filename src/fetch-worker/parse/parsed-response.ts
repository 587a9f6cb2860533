import type { Fingerprint } from '../../duplicates/page-fingerprint.ts'
import type { Findings, SameDepthUrls, Visited } from '../../messages/messages.ts'
import type { PageExtractor } from '../../page-data/page-extractor.ts'
import { type CrawlUrl, MAX_SIDESTEPS } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import type { FetchedFields } from '../../records/visit-record.ts'
import type { BoilerplateDetector } from '../../traps/boilerplate/boilerplate-detector.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import type { FilteredLinks, UrlRewrite } from '../links/link-list.ts'
import type { LinkTargets } from '../links/link-targets.ts'
import type { SeenCheck } from '../links/seen-check.ts'

/** What the parsers need. */
export interface ParseTools {
  readonly filter: LinkFilter
  readonly seenCheck: SeenCheck
  readonly maxRedirects: number
  /** True if images, scripts and style sheets are fetched. */
  readonly assets: boolean
  /** True if URLs of sitemaps are followed. */
  readonly sitemaps: boolean
  /** True if style sheets are parsed for what they load: where bodies are saved. */
  readonly parsesStyleSheets: boolean
  readonly productToken: string
  /** Undefined if no output asks for the targets of links. */
  readonly linkTargets: LinkTargets | undefined
  /** True if the trap guard needs signals. */
  readonly traps: boolean
  /** Undefined if the trap guard does not need to know which pages have new content. */
  readonly boilerplate: BoilerplateDetector | undefined
  /** Undefined without `--content-dedup`. */
  readonly fingerprint: Fingerprint | undefined
  /** Undefined without data to extract and without hooks. */
  readonly extractor: PageExtractor | undefined
}

/** What a response adds to its record, which URLs it leads to, and which are skipped. */
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
  >
  readonly findings: Findings &
    Pick<
      Visited,
      'leaves' | 'linkCount' | 'isUnreadSitemap' | 'fingerprint' | 'outlinks' | 'pageLinks'
    >
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
}

const NOWHERE: Findings = { discovered: [], nearer: [], sameDepth: [] }

/** The result for a response that leads nowhere. */
export const UNPARSED: ParsedResponse = { fields: {}, findings: NOWHERE, skips: [], rewrites: [] }

/** Skips the assets or sitemaps of a URL that is already as many hops of length 0 from a link as allowed. */
export function limitSameDepth(
  links: FilteredLinks,
  { url: via, depth, sidesteps }: CrawlUrl,
): FilteredLinks {
  if (sidesteps < MAX_SIDESTEPS) return links
  const skips = links.urls.map((url) => ({ url, via, depth, reason: 'limit' }) as const)
  return { ...links, urls: [], skips: [...links.skips, ...skips] }
}

/** Returns findings of nothing but these URLs. */
export function sameDepthFindings(...sameDepth: readonly SameDepthUrls[]): Findings {
  return { ...NOWHERE, sameDepth }
}
