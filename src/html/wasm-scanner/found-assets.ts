import { srcsetUrls } from '../../url/srcset.ts'
import { LOADED_LINK_TYPES } from '../reference-scanner/assets.ts'
import { relKeywords } from '../reference-scanner/rel-keywords.ts'
import { LINK_KIND } from './layout/codes.ts'
import { LINK } from './layout/records.ts'
import type { LinkRecords } from './link-records.ts'

const SRCSETS: ReadonlySet<number> = new Set([LINK_KIND.srcset, LINK_KIND.loadedSrcset])

/** Returns the URLs that a browser would load for the page that was scanned last, in page order. */
export function foundAssets(records: LinkRecords): string[] {
  const urls: string[] = []
  for (let link = 0; link < records.count; link++) {
    if (records.field(link, LINK.kind) >= LINK_KIND.asset) urls.push(...assetsAt(records, link))
  }
  return urls
}

/** Returns the number of bytes of all values that may contain several assets. */
export function srcsetBytes(records: LinkRecords): number {
  let bytes = 0
  for (let link = 0; link < records.count; link++) {
    const isSrcset = SRCSETS.has(records.field(link, LINK.kind))
    if (isSrcset) bytes += records.field(link, LINK.end) - records.field(link, LINK.start)
  }
  return bytes
}

/** Returns the assets of one record; none if another attribute shows that the value isn't an asset. */
export function assetsAt(records: LinkRecords, link: number): string[] {
  const value = records.hrefOf(link)
  switch (records.field(link, LINK.kind)) {
    case LINK_KIND.srcset:
      return srcsetUrls(value, Number.POSITIVE_INFINITY)
    case LINK_KIND.loadedSrcset:
      return isLoaded(records.relOf(link)) ? srcsetUrls(value, Number.POSITIVE_INFINITY) : []
    case LINK_KIND.loadedAsset:
      return isLoaded(records.relOf(link)) ? [value] : []
    case LINK_KIND.imageAsset:
      return records.relOf(link)?.toLowerCase() === 'image' ? [value] : []
    case LINK_KIND.svgAsset:
      return value.startsWith('#') ? [] : [value]
    default:
      return [value]
  }
}

function isLoaded(rel: string | undefined): boolean {
  return relKeywords(rel).some((type) => LOADED_LINK_TYPES.has(type))
}
