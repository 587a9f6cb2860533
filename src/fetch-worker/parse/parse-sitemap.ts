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

/** Enough of a seed to see whether it is a sitemap. */
const GLANCE = { maxBytes: 2 ** 16, maxEntries: 1 }

/** Characters of all URLs of a sitemap: as many as it may have itself. URLs may be relative to a long one. */
const MAX_CHARACTERS = 2 ** 26

/** Finds the pages and further sitemaps of a sitemap or a feed. */
export async function parseSitemap(
  crawlUrl: CrawlUrl,
  body: Buffer,
  { filter, rules, seenCheck, sitemaps, linkGraph }: SitemapTools,
): Promise<ParsedResponse> {
  // Loaded when it is first needed: few crawls have a sitemap, and the XML parser takes 6 MB in each thread.
  const { readSitemap } = await import('./sitemap/read-sitemap.ts')
  // A seed, and what it redirects to, may be any file.
  const mayBeOther = crawlUrl.hop !== 'sitemap'
  if (!sitemaps && mayBeOther) {
    const { pages, sitemaps: parts } = await readSitemap(body, () => {}, { mayBeOther, ...GLANCE })
    return {
      ...UNPARSED,
      findings: { ...UNPARSED.findings, linkCount: 0, isUnreadSitemap: pages + parts > 0 },
    }
  }
  const urls = new Set<string>()
  const external = new Set<string>()
  const skips: Skip[] = []
  const rewrites: UrlRewrite[] = []
  const list = linkGraph?.ofSitemap(crawlUrl.url)
  const budget = { left: MAX_CHARACTERS }
  let discovered = 0
  const onEntries = (entries: readonly { readonly href: string }[]) => {
    const links = entries.map(({ href }) => ({ href }))
    list?.add(links)
    const named = filter.filter(links, crawlUrl, { budget }, crawlUrl.depth)
    const filtered = limitSameDepth(named, crawlUrl)
    for (const url of filtered.urls) urls.add(url)
    const skipped = rules.splitExternal(filtered.skips)
    for (const url of seenCheck.addExternal(skipped.urls, crawlUrl)) external.add(url)
    skips.push(...skipped.skips)
    rewrites.push(...filtered.rewrites)
    discovered += seenCheck.addSameDepth(filtered.urls, crawlUrl, 'sitemap')
  }
  const summary = await readSitemap(body, onEntries, { mayBeOther })
  if (summary.format === undefined && mayBeOther) return UNPARSED
  return {
    fields: { links: summary.pages + summary.sitemaps, discovered },
    findings: {
      ...sameDepthFindings(
        { hop: 'sitemap', urls: [...urls] },
        { hop: 'external', urls: [...external] },
      ),
      linkCount: urls.size,
      ...(urls.size + external.size === 0 && foreignExampleIn(skips)),
      ...(list !== undefined && { pageLinks: list.end() }),
    },
    skips,
    rewrites,
  }
}

/** Returns one of the URLs if all are outside the scope. */
function foreignExampleIn(
  skips: readonly Skip[],
): Pick<ParsedResponse['findings'], 'foreignExample'> {
  const [first] = skips
  if (first === undefined || skips.some(({ reason }) => reason !== 'out-of-scope')) return {}
  return { foreignExample: first.url }
}
