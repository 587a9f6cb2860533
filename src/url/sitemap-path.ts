/** Matches paths that sitemaps and feeds usually have. */
const USUAL_PATH = /sitemap|\.(?:xml|rss|atom|rdf)(?:\.gz)?$/i

/** Matches the ends of paths of ordinary pages, such as /sitemap.html. */
const PAGE_PATH = /(?:\/|\.(?:html?|php|aspx?|jsp))$/i

/** Returns whether a URL looks like the URL of a sitemap or a feed. */
export function hasSitemapPath(url: string): boolean {
  return USUAL_PATH.test(new URL(url).pathname)
}

/** Returns whether a URL looks like the URL of a sitemap or a feed, and not like the URL of an ordinary page. */
export function isSitemapFile(url: string): boolean {
  return hasSitemapPath(url) && !PAGE_PATH.test(new URL(url).pathname)
}
