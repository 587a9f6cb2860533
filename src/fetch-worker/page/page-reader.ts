import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { productToken } from '../../robots/product-token.ts'
import { aliasesOf } from '../../traps/alias.ts'
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
  readonly #traps: boolean

  /** @param choosesLinks true if hooks may refuse links of a page */
  constructor(setup: WorkerSetup, rules: LinkRules, filter: LinkFilter, choosesLinks: boolean) {
    const { assets, textCounts, userAgent, traps } = setup
    const boilerplate = textCounts && new BoilerplateDetector(textCounts)
    this.#fast = setup.lacksAddresses ? undefined : new FastPageReader(setup, rules, boilerplate)
    const options = { assets, boilerplate, productToken: productToken(userAgent) }
    this.#reference = new ReferencePageReader(filter, options)
    this.#findsAll = choosesLinks || setup.keepsOutlinks || setup.defersSeenTest
    this.#traps = traps
  }

  /** Forgets what it knows of URLs. To be called when the scope has grown. */
  forget(): void {
    this.#fast?.forget()
  }

  read(crawlUrl: CrawlUrl, response: PageResponse, headerLinks: readonly Link[]): PageReading {
    const all = this.#findsAll || this.#needsAll(crawlUrl)
    const reading = this.#fast?.read(crawlUrl, response, headerLinks, all)
    return reading ?? this.#reference.read(crawlUrl, response, headerLinks)
  }

  /** Returns whether all links of a page count: for the frontier, or to recognize an alias. */
  #needsAll({ url, keepLinks, attempt }: CrawlUrl): boolean {
    return keepLinks || attempt > 1 || (this.#traps && aliasesOf(url).length > 0)
  }
}
