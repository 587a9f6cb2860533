import { BoilerplateDetector } from '../../html/boilerplate/boilerplate-detector.ts'
import { TextCountTable } from '../../html/boilerplate/text-count-table.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { productToken } from '../../robots/product-token.ts'
import type { Link, LinkFilter } from '../links/link-filter.ts'
import type { LinkRules } from '../links/link-rules.ts'
import { FastPageReader } from './fast-page-reader.ts'
import type { PageReading, PageResponse } from './page-reading.ts'
import { ReferencePageReader } from './reference-page-reader.ts'

/**
 * Reads pages with the scanner in WebAssembly. The few pages that it can't read are read in TypeScript, and so are all
 * pages if the address space has no room for the scanner.
 */
export class PageReader {
  readonly #fast: FastPageReader | undefined
  readonly #reference: ReferencePageReader
  /** True if all links of each page are needed. */
  readonly #findsAll: boolean

  /** @param choosesLinks true if hooks may refuse links of a page */
  constructor(setup: WorkerSetup, rules: LinkRules, filter: LinkFilter, choosesLinks: boolean) {
    const { assets, userAgent } = setup
    const textCounts = setup.textCounts && new TextCountTable(setup.textCounts)
    this.#fast = setup.lacksAddresses ? undefined : new FastPageReader(setup, rules, textCounts)
    const boilerplate = textCounts && new BoilerplateDetector(textCounts)
    const options = { assets, boilerplate, productToken: productToken(userAgent) }
    this.#reference = new ReferencePageReader(filter, options)
    this.#findsAll = choosesLinks || setup.keepsOutlinks || setup.defersSeenCheck
  }

  /** Forgets the targets of links. Must be called when the link rules have changed. */
  forget(): void {
    this.#fast?.forget()
  }

  /** @param mayHaveSessionId true if the URL has a part that may be a session id; all links of the page are evidence */
  read(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    headerLinks: readonly Link[],
    mayHaveSessionId: boolean,
  ): PageReading {
    const all = this.#findsAll || mayHaveSessionId || crawlUrl.attempt > 1
    const reading = this.#fast?.read(crawlUrl, response, headerLinks, all)
    return reading ?? this.#reference.read(crawlUrl, response, headerLinks)
  }
}
