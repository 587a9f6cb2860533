import { LinkResolver } from '../url/resolve.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Findings, Visited } from '../wire/messages.ts'
import type { Visit } from '../wire/visit.ts'
import type { Discoverer } from './discoverer.ts'
import { extract } from './extract/extract.ts'

/** What an answer adds to its record, and where it leads. */
export interface Reading {
  readonly record: Pick<
    Visit,
    'redirectsTo' | 'charset' | 'title' | 'links' | 'discovered' | 'error'
  >
  readonly leadsTo: Findings & Pick<Visited, 'leaves'>
}

/** Links per page that are looked at. */
const MAX_LINKS = 100_000

/** Finds the links of an HTML page and puts them to the URL-seen test. */
export async function readPage(
  crawlUrl: CrawlUrl,
  body: Buffer,
  declaredCharset: string | undefined,
  discoverer: Discoverer,
): Promise<Reading> {
  const { charset, page } = extract(body, declaredCharset, { maxLinks: MAX_LINKS })
  const resolver = new LinkResolver(crawlUrl.url, { baseHref: page.base, encoding: charset })
  const urls: string[] = []
  for (const { href } of page.outlinks) {
    const url = resolver.resolve(href)
    if (url !== undefined) urls.push(url)
  }
  const leadsTo = { ...(await discoverer.discover(urls, crawlUrl)), beside: [] }
  const counts = { links: page.outlinks.length, discovered: leadsTo.discovered.length }
  const title = page.title === undefined ? {} : { title: page.title }
  return { record: { charset, ...title, ...counts }, leadsTo }
}
