import { decodePage } from '../../html/charset/decode-page.ts'
import type { PageStyles } from '../../html/style-sheet/page-styles.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { LinkFilter } from '../links/link-filter.ts'
import { limitSameDepth } from '../links/link-list.ts'
import type { PageReading } from './page-reading.ts'

/** Adds to a page what its styles load: neither scanner reads styles. */
export function withStyles(
  reading: PageReading,
  crawlUrl: CrawlUrl,
  body: Buffer,
  { filter, pageStyles }: { readonly filter: LinkFilter; readonly pageStyles: PageStyles },
): PageReading {
  const { charset, base: baseHref, links } = reading
  const styled = pageStyles(decodePage(body, charset)).map(({ url: href }) => ({ href }))
  if (styled.length === 0) return reading
  const options = { baseHref, encoding: charset }
  const loaded = limitSameDepth(filter.filter(styled, crawlUrl, options, crawlUrl.depth), crawlUrl)
  return {
    ...reading,
    assets: [...reading.assets, ...styled.map(({ href }) => href)],
    links: {
      ...links,
      assetUrls: [...new Set([...links.assetUrls, ...loaded.urls])],
      skips: [...links.skips, ...loaded.skips],
      rewrites: [...links.rewrites, ...loaded.rewrites],
    },
  }
}
