import { MAX_SITEMAP_BYTES } from '../../../runtime/shared-body-memory.ts'
import { inflate } from './inflate.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { type SitemapOptions, SitemapReader, type SitemapSummary } from './sitemap-reader.ts'

/** sitemaps.org allows 50,000 URLs per file. Real sitemaps have more, and alternates count as entries. */
const LIMITS = { maxBytes: MAX_SITEMAP_BYTES, maxEntries: 1_000_000 }

/**
 * Reads a sitemap or a feed: XML or one URL per line, gzipped or not. A malformed file is read as far as possible.
 * Only `onEntries` can make this function throw.
 * @param onEntries receives the entries of a piece of the file, in order and with duplicates. The next piece is read when
 *   it is done, so that memory stays bounded.
 */
export async function readSitemap(
  file: Buffer,
  onEntries: (entries: readonly SitemapEntry[]) => Promise<void> | void,
  options: Partial<SitemapOptions> & Pick<SitemapOptions, 'url'>,
): Promise<SitemapSummary> {
  const reading = new SitemapReader({ mayBeOther: false, ...LIMITS, ...options })
  for await (const piece of inflate(file)) {
    reading.write(piece)
    const entries = reading.take()
    if (entries.length > 0) await onEntries(entries)
    if (reading.isDone) return reading.summary()
  }
  reading.end()
  const entries = reading.take()
  if (entries.length > 0) await onEntries(entries)
  return reading.summary()
}
