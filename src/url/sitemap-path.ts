/** Paths that sitemaps and feeds mostly have. */
const USUAL_PATH = /sitemap|\.(?:xml|rss|atom|rdf)(?:\.gz)?$/i

/** Ends of paths that pages for people have, such as /sitemap.html. */
const PAGE_PATH = /(?:\/|\.(?:html?|php|aspx?|jsp))$/i

/** Returns whether a URL looks like that of a sitemap or a feed. */
export function hasSitemapPath(url: string): boolean {
  return USUAL_PATH.test(new URL(url).pathname)
}

/** Returns whether a URL looks like that of a sitemap or a feed, and not like that of a page about a site. */
export function isSitemapFile(url: string): boolean {
  return hasSitemapPath(url) && !PAGE_PATH.test(new URL(url).pathname)
}
