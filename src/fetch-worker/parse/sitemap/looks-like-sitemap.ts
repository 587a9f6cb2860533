import { type CrawlUrl, isSeedOrItsRedirect } from '../../../records/crawl-url.ts'
import { hasSitemapPath } from '../../../url/sitemap-path.ts'

/** Bytes of a page that are searched for the root element of a sitemap. */
const HEAD_BYTES = 4_096
const ROOT =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->|<![a-z][^>]*>)*<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/is

/**
 * Returns whether a URL may be a sitemap, judging by its origin: it is a seed, or robots.txt or another sitemap lists
 * it, or a seed redirects to it.
 */
export function mayListUrls(crawlUrl: CrawlUrl): boolean {
  return crawlUrl.hop === 'sitemap' || isSeedOrItsRedirect(crawlUrl)
}

/** Returns whether a seed looks like a sitemap by its name. */
export function isSitemapByName({ hop, url }: CrawlUrl): boolean {
  return hop === 'seed' && hasSitemapPath(url)
}

/** Returns whether a body starts like a sitemap or a feed, even if the server calls it HTML. */
export function startsAsSitemap(body: Buffer): boolean {
  return ROOT.test(body.toString('latin1', 0, HEAD_BYTES))
}
