import { inflate } from './inflate.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { type SitemapOptions, SitemapReader, type SitemapSummary } from './sitemap-reader.ts'

/** sitemaps.org allows 50 MB and 50,000 URLs a file; real ones have more, and alternates count. */
const LIMITS = { maxBytes: 64 * 2 ** 20, maxEntries: 1_000_000 }

/**
 * Reads a sitemap or a feed: XML or one URL per line, gzipped or not. What is malformed is read as
 * far as it goes, and nothing makes it throw but `onEntries`.
 * @param onEntries takes the entries of a piece of the file, in order and with repetitions, before the
 *   next piece is read, so that memory stays bounded
 */
export async function readSitemap(
  file: Buffer,
  onEntries: (entries: readonly SitemapEntry[]) => void,
  options: Partial<SitemapOptions> = {},
): Promise<SitemapSummary> {
  const reading = new SitemapReader({ mayBeOther: false, ...LIMITS, ...options })
  for await (const piece of inflate(file)) {
    reading.write(piece)
    const entries = reading.take()
    if (entries.length > 0) onEntries(entries)
    if (reading.isDone) return reading.summary()
  }
  reading.end()
  const entries = reading.take()
  if (entries.length > 0) onEntries(entries)
  return reading.summary()
}
