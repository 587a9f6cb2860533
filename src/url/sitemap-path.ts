/** Paths that sitemaps and feeds mostly have. */
const USUAL_PATH = /sitemap|\.(?:xml|rss|atom|rdf)(?:\.gz)?$/i

/** Returns whether a URL looks like that of a sitemap or a feed. */
export function hasSitemapPath(url: string): boolean {
  return USUAL_PATH.test(new URL(url).pathname)
}
