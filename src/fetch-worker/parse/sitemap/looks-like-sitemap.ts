import type { CrawlUrl } from '../../../records/crawl-url.ts'
import { hasSitemapPath } from '../../../url/sitemap-path.ts'

/** Bytes of a page that are searched for the root element of a sitemap. */
const HEAD_BYTES = 4_096
const ROOT =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->|<![a-z][^>]*>)*<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/is

/**
 * Returns whether a URL may be a sitemap by how it was found: as a seed, in robots.txt or a sitemap, or by a redirect at
 * depth 0, which may also be that of an asset.
 */
export function mayListUrls({ hop, depth }: CrawlUrl): boolean {
  return hop === 'seed' || hop === 'sitemap' || (hop === 'redirect' && depth === 0)
}

/** Returns whether a URL is a seed whose path looks like that of a sitemap. */
export function isSitemapSeed({ hop, url }: CrawlUrl): boolean {
  return hop === 'seed' && hasSitemapPath(url)
}

/** Returns whether a body starts like a sitemap or a feed, even if the server calls it HTML. */
export function startsAsSitemap(body: Buffer): boolean {
  return ROOT.test(body.toString('latin1', 0, HEAD_BYTES))
}
