import { readSitemap } from '../../../../src/fetch-worker/parse/sitemap/read-sitemap.ts'
import type { SitemapEntry } from '../../../../src/fetch-worker/parse/sitemap/sitemap-entry.ts'
import type { SitemapOptions } from '../../../../src/fetch-worker/parse/sitemap/sitemap-reader.ts'

/** All entries of a file, and its summary. */
export async function readEntries(file: Buffer | string, limits?: Partial<SitemapOptions>) {
  const entries: SitemapEntry[] = []
  const body = typeof file === 'string' ? Buffer.from(file) : file
  const summary = await readSitemap(body, (batch) => void entries.push(...batch), limits)
  const hrefs = entries.map(({ kind, href }) => (kind === 'page' ? href : `${kind} ${href}`))
  return { entries, hrefs, summary }
}
