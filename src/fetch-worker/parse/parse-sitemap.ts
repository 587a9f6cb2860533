import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { limitSameDepth, type UrlRewrite } from '../links/link-list.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

type SitemapTools = Pick<ParseTools, 'filter' | 'rules' | 'sitemaps' | 'linkGraph'> & {
  readonly seenCheck: Pick<ParseTools['seenCheck'], 'addSameDepth' | 'addExternal'>
}

/** Limits that are enough to see whether a seed is a sitemap. */
const PEEK_LIMITS = { maxBytes: 2 ** 16, maxEntries: 1 }

/**
 * Maximum number of characters of all URLs of a sitemap, equal to the maximum size of its file. Without it, short
 * URLs that are relative to a long one could take much more memory than the file.
 */
const MAX_CHARACTERS = 2 ** 26

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
  const summary = await readSitemap(body, (hrefs) => links.add(hrefs), {
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

/** The entries of a sitemap, filtered and checked as they are read. */
class SitemapLinks {
  readonly #crawlUrl: CrawlUrl
  readonly #tools: SitemapTools
  readonly #urls = new Set<string>()
  readonly #external = new Set<string>()
  readonly #skips: Skip[] = []
  readonly #rewrites: UrlRewrite[] = []
  readonly #list: ReturnType<NonNullable<SitemapTools['linkGraph']>['ofSitemap']> | undefined
  readonly #budget = { left: MAX_CHARACTERS }
  #discovered = 0

  constructor(crawlUrl: CrawlUrl, tools: SitemapTools) {
    this.#crawlUrl = crawlUrl
    this.#tools = tools
    this.#list = tools.linkGraph?.ofSitemap(crawlUrl.url)
  }

  add(hrefs: readonly string[]): void {
    const { filter, rules, seenCheck } = this.#tools
    const links = hrefs.map((href) => ({ href }))
    this.#list?.add(links)
    const { depth } = this.#crawlUrl
    const named = filter.filter(links, this.#crawlUrl, { budget: this.#budget }, depth)
    const filtered = limitSameDepth(named, this.#crawlUrl)
    for (const url of filtered.urls) this.#urls.add(url)
    const skipped = rules.splitExternal(filtered.skips)
    for (const url of seenCheck.addExternal(skipped.urls, this.#crawlUrl)) this.#external.add(url)
    this.#skips.push(...skipped.skips)
    this.#rewrites.push(...filtered.rewrites)
    this.#discovered += seenCheck.addSameDepth(filtered.urls, this.#crawlUrl, 'sitemap')
  }

  /** @param count number of all entries */
  parsed(count: number): ParsedResponse {
    const [urls, external] = [[...this.#urls], [...this.#external]]
    return {
      fields: { links: count, discovered: this.#discovered },
      findings: {
        ...sameDepthFindings({ hop: 'sitemap', urls }, { hop: 'external', urls: external }),
        linkCount: urls.length,
        ...(urls.length + external.length === 0 && foreignExampleIn(this.#skips)),
        ...(this.#list !== undefined && { pageLinks: this.#list.end() }),
      },
      skips: this.#skips,
      rewrites: this.#rewrites,
    }
  }
}

/** Returns the first of the skipped URLs if all of them are outside the scope. */
function foreignExampleIn(
  skips: readonly Skip[],
): Pick<ParsedResponse['findings'], 'foreignExample'> {
  const [first] = skips
  if (first === undefined || skips.some(({ reason }) => reason !== 'out-of-scope')) return {}
  return { foreignExample: first.url }
}
