import { isSeedOrItsRedirect } from '../records/crawl-url.ts'
import { hasSitemapPath } from '../url/sitemap-path.ts'
import type { ReadyUrl } from './storage/stored-url.ts'

/**
 * Returns whether `--dry-run` fetches a URL: a seed, the target of its redirect, or a sitemap. A URL that
 * a sitemap lists may be a page or another sitemap: only its name shows which.
 */
export function isReadInDryRun(ready: ReadyUrl): boolean {
  const { hop, via, url } = ready
  if (isSeedOrItsRedirect(ready)) return true
  return hop === 'sitemap' && (via === null || hasSitemapPath(url))
}
