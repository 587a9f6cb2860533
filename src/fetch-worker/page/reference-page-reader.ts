import type { BoilerplateDetector } from '../../html/boilerplate/boilerplate-detector.ts'
import { MAX_PAGE_LINKS } from '../../html/link-limits.ts'
import type { ScannedPage } from '../../html/reference-scanner/page-collector.ts'
import { scanPage } from '../../html/reference-scanner/scan-page.ts'
import { TextSamples } from '../../html/reference-scanner/text-samples.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import type { Link, LinkFilter, LinkOptions } from '../links/link-filter.ts'
import { union } from '../links/link-list.ts'
import type { PageReading, PageResponse, UncheckedLinks } from './page-reading.ts'

interface ReaderOptions {
  readonly productToken: string
  readonly assets: boolean
  readonly boilerplate: BoilerplateDetector | undefined
}

/** Reads any page, with the scanner in TypeScript. */
export class ReferencePageReader {
  readonly #filter: LinkFilter
  readonly #options: ReaderOptions
  readonly #samples: TextSamples | undefined

  constructor(filter: LinkFilter, options: ReaderOptions) {
    this.#filter = filter
    this.#options = options
    this.#samples = options.boilerplate && new TextSamples()
  }

  read(crawlUrl: CrawlUrl, response: PageResponse, headerLinks: readonly Link[]): PageReading {
    const { productToken, assets, boilerplate } = this.#options
    const agents = [productToken.toLowerCase()]
    const samples = this.#samples
    const options = { maxLinks: MAX_PAGE_LINKS, agents, assets, samples }
    const { charset, page } = scanPage(response.body, response.contentType?.charset, options)
    const hasNewContent = samples && boilerplate?.hasNewContent(crawlUrl.url, samples)
    const robotsTag = response.headers['x-robots-tag']
    const { noindex, nofollow } = pageDirectives(page.robots, robotsTag, productToken)
    const linkOptions = { baseHref: page.base, encoding: charset, nofollow }
    return {
      charset,
      noindex,
      hasNewContent: hasNewContent ?? true,
      title: page.title,
      base: page.base,
      canonical: page.canonical,
      outlinks: page.outlinks,
      assets: page.assets,
      links: this.#filterLinks(crawlUrl, page, headerLinks, linkOptions),
    }
  }

  #filterLinks(
    crawlUrl: CrawlUrl,
    page: ScannedPage,
    headerLinks: readonly Link[],
    { nofollow = false, ...base }: LinkOptions,
  ): UncheckedLinks {
    const filter = this.#filter
    const { depth } = crawlUrl
    const inPage = filter.filter(page.outlinks, crawlUrl, { ...base, nofollow }, depth + 1)
    const inHeader = filter.filter(headerLinks, crawlUrl, { nofollow }, depth + 1)
    const loaded = filter.filterAssets(page.assets, crawlUrl, base)
    return {
      urls: union(inPage.urls, inHeader.urls),
      nearer: [],
      omitted: 0,
      known: 0,
      assetUrls: loaded.urls,
      skips: [...inPage.skips, ...inHeader.skips, ...loaded.skips],
      rewrites: [...inPage.rewrites, ...inHeader.rewrites, ...loaded.rewrites],
    }
  }
}
