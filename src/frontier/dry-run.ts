import { isSeedOrItsRedirect } from '../records/crawl-url.ts'
import { hasSitemapPath } from '../url/sitemap-path.ts'
import type { ReadyUrl } from './storage/known-url-table.ts'

/**
 * Returns whether `--dry-run` reads a URL: a seed, what it redirects to, and sitemaps. Sitemaps and
 * pages that a sitemap lists differ only by their names.
 */
export function isReadInDryRun(ready: ReadyUrl): boolean {
  const { hop, via, url } = ready
  if (isSeedOrItsRedirect(ready)) return true
  return hop === 'sitemap' && (via === null || hasSitemapPath(url))
}
