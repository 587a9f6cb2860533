import type { Fingerprint } from '../../duplicates/page-fingerprint.ts'
import { isHtml } from '../../fetch/content-type.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { PageWishes } from '../../page-data/page-wishes.ts'
import { isGone } from '../../records/content.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { productToken } from '../../robots/product-token.ts'
import { aliasesOf } from '../../traps/alias.ts'
import { BoilerplateDetector } from '../../traps/boilerplate/boilerplate-detector.ts'
import type { LinkGate } from '../links/link-filter.ts'
import { PageLinker } from '../links/page-links.ts'
import type { Discoverer } from '../links/seen-check.ts'
import { followRedirect, locationOf } from './follow-redirect.ts'
import { readPage } from './read-page.ts'
import { readSitemapFile } from './read-sitemap-file.ts'
import { readStyleSheet } from './read-style-sheet.ts'
import { type Reading, type ReadingTools, UNREAD } from './reading.ts'
import { beginsAsSitemap, mayListUrls } from './sitemap/candidates.ts'

/** What is wanted of pages beside their links. */
interface Wants {
  readonly wishes: PageWishes | undefined
  readonly fingerprint: Fingerprint | undefined
}

/** Reads answers: redirects, pages and sitemaps lead on. */
export class Reader {
  readonly #tools: ReadingTools

  constructor(setup: WorkerSetup, gate: LinkGate, discoverer: Discoverer, wants: Wants) {
    const { maxRedirects, assets, bodies, sitemaps, userAgent, traps, shownTexts } = setup
    const boilerplate = shownTexts === undefined ? undefined : new BoilerplateDetector(shownTexts)
    const own = {
      linker: PageLinker.open(setup),
      productToken: productToken(userAgent),
      traps,
      boilerplate,
      ...wants,
      readsStyleSheets: assets && bodies !== undefined,
    }
    this.#tools = { gate, discoverer, maxRedirects, assets, sitemaps, ...own }
  }

  /** Whether nothing is wanted of the answer but what it says of itself. */
  isAskedOnly(crawlUrl: CrawlUrl): boolean {
    return this.#tools.gate.isAskedOnly(crawlUrl)
  }

  async read(crawlUrl: CrawlUrl, answer: FetchResponse): Promise<Reading> {
    const location = locationOf(answer)
    if (location !== undefined) return followRedirect(crawlUrl, location, this.#tools)
    if (this.isAskedOnly(crawlUrl)) return UNREAD
    const { status, body, contentType } = answer
    if (status >= 300) return isGone(status) ? this.#unread(crawlUrl) : UNREAD
    const list = body !== undefined && mayListUrls(crawlUrl) ? body : undefined
    const isList = list !== undefined && beginsAsSitemap(list)
    if (isHtml(contentType?.type ?? '') && !isList) {
      // Without a body there are still the links of the header.
      return readPage(crawlUrl, { ...answer, body: body ?? Buffer.alloc(0) }, this.#tools)
    }
    if (body === undefined) return this.#unread(crawlUrl)
    const isStyleSheet = contentType?.type === 'text/css'
    if (isStyleSheet && this.#tools.readsStyleSheets)
      return readStyleSheet(crawlUrl, body, this.#tools)
    return list === undefined ? UNREAD : readSitemapFile(crawlUrl, list, this.#tools)
  }

  /** A file, or nothing: that suffices to know, by whatever name it comes again. */
  #unread({ url }: CrawlUrl): Reading {
    if (!this.#tools.traps || aliasesOf(url).length === 0) return UNREAD
    const reading = { hasNewContent: false, links: 0, alias: {} }
    return { ...UNREAD, leadsTo: { ...UNREAD.leadsTo, reading } }
  }
}
