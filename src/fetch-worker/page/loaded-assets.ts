import type { LoadedAsset } from '../../html/loaded-assets/asset-list.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import { union } from '../links/link-list.ts'
import type { PageReading } from './page-reading.ts'

/** Adds to a page the assets that its styles and scripts load. The scanners read neither. */
export function withLoadedAssets(
  reading: PageReading,
  crawlUrl: CrawlUrl,
  loaded: readonly LoadedAsset[],
  filter: LinkFilter,
): PageReading {
  if (loaded.length === 0) return reading
  const { charset, base: baseHref, links } = reading
  const hrefs = loaded.map(({ url }) => url)
  const options = { baseHref, encoding: charset }
  const filtered = filter.filterAssets(hrefs, crawlUrl, options)
  return {
    ...reading,
    assets: [...reading.assets, ...hrefs],
    links: {
      ...links,
      assetUrls: union(links.assetUrls, filtered.urls),
      skips: [...links.skips, ...filtered.skips],
      rewrites: [...links.rewrites, ...filtered.rewrites],
    },
  }
}
