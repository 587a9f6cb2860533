import type { LoadedAsset } from '../../html/further-assets/find-further-assets.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import { union } from '../links/link-list.ts'
import type { PageReading } from './page-reading.ts'

/** Adds to a page the assets that neither scanner finds. */
export function withFurtherAssets(
  reading: PageReading,
  crawlUrl: CrawlUrl,
  further: readonly LoadedAsset[],
  filter: LinkFilter,
): PageReading {
  if (further.length === 0) return reading
  const { charset, base: baseHref, links } = reading
  const hrefs = further.map(({ url }) => url)
  const options = { baseHref, encoding: charset }
  const loaded = filter.filterAssets(hrefs, crawlUrl, options)
  return {
    ...reading,
    assets: [...reading.assets, ...hrefs],
    links: {
      ...links,
      assetUrls: union(links.assetUrls, loaded.urls),
      skips: [...links.skips, ...loaded.skips],
      rewrites: [...links.rewrites, ...loaded.rewrites],
    },
  }
}
