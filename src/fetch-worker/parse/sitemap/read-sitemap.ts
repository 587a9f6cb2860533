import { inflate } from './inflate.ts'
import { type SitemapOptions, SitemapReader, type SitemapSummary } from './sitemap-reader.ts'

/** sitemaps.org allows 50 MB and 50,000 URLs a file; real ones have more, and alternates count. */
const LIMITS = { maxBytes: 64 * 2 ** 20, maxEntries: 1_000_000 }

/**
 * Reads a sitemap or a feed: XML or one URL per line, gzipped or not. What is malformed is read as
 * far as it goes, and nothing makes it throw but `onEntries`.
 * @param onEntries takes the hrefs of a piece of the file, in order and with repetitions, before the
 *   next piece is read, so that memory stays bounded. They are as written, without white space around
 *   them, and may be slices of the file: resolve or copy them.
 */
export async function readSitemap(
  file: Buffer,
  onEntries: (hrefs: readonly string[]) => void,
  options: Partial<SitemapOptions> = {},
): Promise<SitemapSummary> {
  const reading = new SitemapReader({ mayBeOther: false, ...LIMITS, ...options })
  for await (const piece of inflate(file)) {
    reading.write(piece)
    const hrefs = reading.take()
    if (hrefs.length > 0) onEntries(hrefs)
    if (reading.isDone) return reading.summary()
  }
  reading.end()
  const hrefs = reading.take()
  if (hrefs.length > 0) onEntries(hrefs)
  return reading.summary()
}
