import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { productToken } from '../../robots/product-token.ts'
import { BoilerplateDetector } from '../../traps/boilerplate/boilerplate-detector.ts'
import type { Link, LinkFilter } from '../links/link-filter.ts'
import type { LinkRules } from '../links/link-rules.ts'
import { FastPageReader } from './fast-page-reader.ts'
import type { PageReading, PageResponse } from './page-reading.ts'
import { ReferencePageReader } from './reference-page-reader.ts'

/** Reads pages the fast way, and in TypeScript the few that it leaves: all, where addresses are short. */
export class PageReader {
  readonly #fast: FastPageReader | undefined
  readonly #reference: ReferencePageReader
  /** True if something asks for all links of each page. */
  readonly #findsAll: boolean

  /** @param choosesLinks true if hooks may refuse links of a page */
  constructor(setup: WorkerSetup, rules: LinkRules, filter: LinkFilter, choosesLinks: boolean) {
    const { assets, textCounts, userAgent } = setup
    const boilerplate = textCounts && new BoilerplateDetector(textCounts)
    this.#fast = setup.lacksAddresses ? undefined : new FastPageReader(setup, rules, boilerplate)
    const options = { assets, boilerplate, productToken: productToken(userAgent) }
    this.#reference = new ReferencePageReader(filter, options)
    this.#findsAll = choosesLinks || setup.keepsOutlinks || setup.defersSeenCheck
  }

  /** Forgets what it knows of URLs. To be called when the scope has grown. */
  forget(): void {
    this.#fast?.forget()
  }

  /** @param isAlias true if the URL may be another name of a page, which all of its links may show */
  read(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    headerLinks: readonly Link[],
    isAlias: boolean,
  ): PageReading {
    const all = this.#findsAll || isAlias || crawlUrl.keepLinks || crawlUrl.attempt > 1
    const reading = this.#fast?.read(crawlUrl, response, headerLinks, all)
    return reading ?? this.#reference.read(crawlUrl, response, headerLinks)
  }
}
