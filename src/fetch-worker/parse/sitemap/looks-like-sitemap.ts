import type { CrawlUrl } from '../../../records/crawl-url.ts'

/** Paths that sitemaps and feeds mostly have. */
const USUAL_PATH = /sitemap|\.(?:xml|rss|atom|rdf)(?:\.gz)?$/i

/** Bytes of a page that are looked at for the root element of a sitemap. */
const HEAD = 4_096
const ROOT =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->|<![a-z][^>]*>)*<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/is

/**
 * Returns whether a URL may be a sitemap for what led to it: a seed, robots.txt or another sitemap, or a
 * redirect from one of them.
 */
export function mayListUrls({ hop, depth }: CrawlUrl): boolean {
  return hop === 'sitemap' || hop === 'seed' || (hop === 'redirect' && depth === 0)
}

/** Returns whether a seed looks like a sitemap by its name. */
export function isSitemapByName({ hop, url }: CrawlUrl): boolean {
  return hop === 'seed' && USUAL_PATH.test(new URL(url).pathname)
}

/** Returns whether what a server calls HTML begins as a sitemap or a feed does. */
export function startsAsSitemap(body: Buffer): boolean {
  return ROOT.test(body.toString('latin1', 0, HEAD))
}
