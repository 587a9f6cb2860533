import type { LoadedAsset } from '../../html/style-sheet/page-styles.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import { union } from '../links/link-list.ts'
import type { PageReading } from './page-reading.ts'

/** Adds to a page the assets that its styles load. Neither scanner reads styles. */
export function withStyles(
  reading: PageReading,
  crawlUrl: CrawlUrl,
  loads: readonly LoadedAsset[],
  filter: LinkFilter,
): PageReading {
  if (loads.length === 0) return reading
  const { charset, base: baseHref, links } = reading
  const styled = loads.map(({ url }) => url)
  const options = { baseHref, encoding: charset }
  const loaded = filter.filterAssets(styled, crawlUrl, options)
  return {
    ...reading,
    assets: [...reading.assets, ...styled],
    links: {
      ...links,
      assetUrls: union(links.assetUrls, loaded.urls),
      skips: [...links.skips, ...loaded.skips],
      rewrites: [...links.rewrites, ...loaded.rewrites],
    },
  }
}
