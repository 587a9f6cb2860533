import type { ReadyUrl } from './storage/known-url-table.ts'

const SITEMAP_PATH = /sitemap|\.(?:xml|rss|atom|rdf)(?:\.gz)?$/i

/**
 * Returns whether `--dry-run` reads a URL: a seed, what it redirects to, and sitemaps. Sitemaps and
 * pages that a sitemap lists differ only by their names.
 */
export function isReadInDryRun({ hop, depth, via, url }: ReadyUrl): boolean {
  if (hop === 'seed' || (hop === 'redirect' && depth === 0)) return true
  return hop === 'sitemap' && (via === null || SITEMAP_PATH.test(new URL(url).pathname))
}
