import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { MAX_SITEMAP_BYTES } from '../../runtime/shared-body-memory.ts'
import type { SitemapTargets } from '../links/link-graph-edges.ts'
import { type FilteredLinks, limitSameDepth, skipAll, type UrlRewrite } from '../links/link-list.ts'
import type { ReadUrls } from '../sitemap-parts.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'
import { isOlderThan, type SitemapEntry } from './sitemap/sitemap-entry.ts'

type SitemapTools = Pick<
  ParseTools,
  'filter' | 'rules' | 'sitemaps' | 'sitemapSince' | 'sitemapParts' | 'linkGraph'
> & {
  readonly seenCheck: Pick<ParseTools['seenCheck'], 'addSameDepth' | 'addExternal'>
}

/** Limits that are enough to see whether a seed is a sitemap. */
const PEEK_LIMITS = { maxBytes: 2 ** 16, maxEntries: 1 }

/** Number of URLs after which a part of a sitemap is reported: sitemaps.org allows 50,000 in a file. */
const PART = 10_000

/** Finds the pages and further sitemaps of a sitemap or a feed. */
export async function parseSitemap(
  crawlUrl: CrawlUrl,
  body: Buffer,
  tools: SitemapTools,
): Promise<ParsedResponse> {
  // A seed, and the target of its redirect, may be any file.
  const mayBeOther = crawlUrl.hop !== 'sitemap'
  if (!tools.sitemaps && mayBeOther) return glanceAt(crawlUrl.url, body)
  const { readSitemap } = await loadReader()
  const links = new SitemapLinks(crawlUrl, tools)
  const summary = await readSitemap(body, (entries) => links.add(entries), {
    url: crawlUrl.url,
    mayBeOther,
  })
  if (!summary.isSitemap && mayBeOther) return UNPARSED
  return links.parsed(summary.entries)
}

/**
 * Loads the reader when it is first needed: few crawls have a sitemap, and the XML parser takes 6 MB in each thread.
 */
function loadReader() {
  return import('./sitemap/read-sitemap.ts')
}

/** Reads only enough of a file to see whether it is a sitemap: without `--sitemaps`, none is followed. */
async function glanceAt(url: string, body: Buffer): Promise<ParsedResponse> {
  const { readSitemap } = await loadReader()
  const { entries } = await readSitemap(body, () => {}, { url, mayBeOther: true, ...PEEK_LIMITS })
  const isUnreadSitemap = entries > 0
  return { ...UNPARSED, findings: { ...UNPARSED.findings, linkCount: 0, isUnreadSitemap } }
}

/** URLs and skips of a sitemap that are not reported yet. */
interface Unreported {
  readonly urls: Set<string>
  readonly external: Set<string>
  readonly skips: Skip[]
  readonly rewrites: UrlRewrite[]
}

function nothing(): Unreported {
  return { urls: new Set(), external: new Set(), skips: [], rewrites: [] }
}

/** The entries of a sitemap, filtered and checked as they are read. */
class SitemapLinks {
  readonly #crawlUrl: CrawlUrl
  readonly #tools: SitemapTools
  /** Undefined if no output needs the targets of links. */
  readonly #targets: SitemapTargets | undefined
  /**
   * Its URLs together have at most as many characters as a file may have. Otherwise, short URLs that are relative to a
   * long one could take much more memory than the file.
   */
  readonly #budget = { left: MAX_SITEMAP_BYTES }
  #unreported = nothing()
  #linkCount = 0
  #discovered = 0
  /** One of the URLs, as long as all of them are outside the scope. */
  #foreignExample: string | undefined
  #isForeign = true

  constructor(crawlUrl: CrawlUrl, tools: SitemapTools) {
    this.#crawlUrl = crawlUrl
    this.#tools = tools
    this.#targets = tools.linkGraph?.ofSitemap(crawlUrl.url)
  }

  /** Adds entries. Reports a part of the sitemap if there are many. */
  async add(entries: readonly SitemapEntry[]): Promise<void> {
    const { rules, seenCheck, sitemapParts, sitemapSince } = this.#tools
    this.#targets?.add(entries)
    const recent = sitemapSince === undefined ? entries : this.#withoutOlder(entries, sitemapSince)
    const filtered = limitSameDepth(this.#filter(recent), this.#crawlUrl)
    const skipped = rules.splitExternal(filtered.skips)
    const external = seenCheck.addExternal(skipped.urls, this.#crawlUrl)
    this.#discovered += seenCheck.addSameDepth(filtered.urls, this.#crawlUrl, 'sitemap')
    this.#keep({ ...filtered, skips: skipped.skips }, external)
    // The frontier keeps the URLs of some sitemaps, and needs all of them at once.
    if (sitemapParts === undefined || this.#crawlUrl.keepLinks || this.#size < PART) return
    await sitemapParts.report(this.#crawlUrl, this.#take())
  }

  /** @param count number of all entries */
  parsed(count: number): ParsedResponse {
    const { sameDepth, skips, rewrites } = this.#take()
    const example = this.#foreignExample
    return {
      fields: { links: count, discovered: this.#discovered },
      findings: {
        ...sameDepthFindings(...sameDepth),
        linkCount: this.#linkCount,
        ...(this.#isForeign && example !== undefined && { foreignExample: example }),
        ...(this.#targets !== undefined && { pageLinks: this.#targets.end() }),
      },
      skips,
      rewrites,
    }
  }

  #filter(entries: readonly SitemapEntry[]): FilteredLinks {
    const { depth } = this.#crawlUrl
    return this.#tools.filter.filter(entries, this.#crawlUrl, { budget: this.#budget }, depth)
  }

  /** Skips the entries that were last modified before a time, and returns the others. */
  #withoutOlder(entries: readonly SitemapEntry[], since: number): readonly SitemapEntry[] {
    const isOlder = isOlderThan(since)
    const { older = [], recent = [] } = Object.groupBy(entries, (entry) =>
      isOlder(entry) ? 'older' : 'recent',
    )
    this.#keep(skipAll(this.#filter(older), this.#crawlUrl, 'unmodified'), [])
    return recent
  }

  get #size(): number {
    const { urls, external, skips, rewrites } = this.#unreported
    return urls.size + external.size + skips.length + rewrites.length
  }

  #keep({ urls, skips, rewrites }: FilteredLinks, external: readonly string[]): void {
    const kept = this.#unreported
    for (const url of urls) kept.urls.add(url)
    for (const url of external) kept.external.add(url)
    kept.skips.push(...skips)
    kept.rewrites.push(...rewrites)
    this.#foreignExample ??= skips[0]?.url
    this.#isForeign &&=
      urls.length + external.length === 0 && skips.every(({ reason }) => reason === 'out-of-scope')
  }

  /** Returns what was read since the last call. */
  #take(): ReadUrls {
    const { urls, external, skips, rewrites } = this.#unreported
    this.#unreported = nothing()
    this.#linkCount += urls.size
    const sameDepth = [
      { hop: 'sitemap', urls: [...urls] },
      { hop: 'external', urls: [...external] },
    ] as const
    return { sameDepth, skips, rewrites }
  }
}
