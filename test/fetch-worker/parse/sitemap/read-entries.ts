import { readSitemap } from '../../../../src/fetch-worker/parse/sitemap/read-sitemap.ts'
import type { SitemapOptions } from '../../../../src/fetch-worker/parse/sitemap/sitemap-reader.ts'

/** Returns all entries of a file, and its summary. */
export async function readEntries(file: Buffer | string, limits?: Partial<SitemapOptions>) {
  const hrefs: string[] = []
  const body = typeof file === 'string' ? Buffer.from(file) : file
  const summary = await readSitemap(
    body,
    (batch) => void hrefs.push(...batch.map(({ href }) => href)),
    {
      url: 'http://h/sitemap.xml',
      ...limits,
    },
  )
  return { hrefs, summary }
}
