import type { TextCounts } from '../../html/boilerplate/text-count-table.ts'
import type { FoundLinks } from '../../html/wasm-scanner/found-links.ts'
import { TARGET_FLAG } from '../../html/wasm-scanner/layout/codes.ts'
import type { LinkReport, Skipped } from '../../html/wasm-scanner/link-report.ts'
import type { PageScan } from '../../html/wasm-scanner/page-scan.ts'
import { PageScanner } from '../../html/wasm-scanner/page-scanner.ts'
import type { TargetTable, TargetVerdict } from '../../html/wasm-scanner/target-table.ts'
import { Counters } from '../../messages/counters.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { type PageDirectives, pageDirectives } from '../../robots/page-directives.ts'
import { productToken } from '../../robots/product-token.ts'
import { forgettingOf } from '../../seen/seen-set-lifecycle.ts'
import type { Link } from '../links/link-filter.ts'
import { type FilteredLinks, NO_FILTERED_LINKS, type UrlRewrite } from '../links/link-list.ts'
import type { LinkRules } from '../links/link-rules.ts'
import type { PageReading, PageResponse, UncheckedLinks } from './page-reading.ts'

const NO_NUMBERS: readonly number[] = []

type ReaderSetup = Pick<
  WorkerSetup,
  'assets' | 'counters' | 'countedSkips' | 'depth' | 'scannerKey' | 'seen' | 'userAgent'
>

/**
 * Reads pages with the scanner in WebAssembly, which remembers the links of earlier pages: only URLs that this
 * worker has not checked before become strings.
 */
export class FastPageReader {
  readonly #scanner: PageScanner
  readonly #rules: LinkRules
  readonly #counters: Counters
  readonly #depthLimit: number
  readonly #productToken: string
  /** False if the seen set may forget a URL, so that each link needs a seen check each time. */
  readonly #remembersUrls: boolean
  readonly #remembersSkips: boolean
  /** The generation of the seen set to which the remembered targets belong. */
  #seenGeneration = 0

  constructor(setup: ReaderSetup, rules: LinkRules, textCounts: TextCounts | undefined) {
    this.#productToken = productToken(setup.userAgent)
    this.#scanner = PageScanner.open({
      agents: [this.#productToken],
      assets: setup.assets,
      key: setup.scannerKey,
      textCounts,
    })
    this.#rules = rules
    this.#counters = new Counters(setup.counters)
    this.#depthLimit = setup.depth
    this.#remembersUrls = forgettingOf(setup.seen.name) === 'never'
    this.#remembersSkips = forgettingOf(setup.countedSkips.name) === 'never'
  }

  /** Forgets the targets of links. Must be called when the link rules have changed. */
  forget(): void {
    this.#scanner.links.targets.forget()
  }

  /**
   * Reads a page. Returns undefined for a page that the scanner can't read.
   * @param all true to find all URLs, including those that were checked before
   */
  read(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    headerLinks: readonly Link[],
    all: boolean,
  ): PageReading | undefined {
    const { body, headers, contentType } = response
    this.#followSeenSet()
    const place = this.#scanner.body(body.length)
    if (place === undefined) return undefined
    place.set(body)
    const scan = this.#scanner.scan(body.length, contentType?.charset)
    if (scan === undefined) return undefined
    const robotsTag = headers['x-robots-tag']
    const directives = pageDirectives(scan.robots, robotsTag, this.#productToken)
    const links = this.#linksOf(crawlUrl, scan, headerLinks, all, directives.nofollow)
    if (links === undefined) return undefined
    const hasNewContent = this.#scanner.hasNewContent(scan, crawlUrl.url)
    return new FastPageReading(scan, directives, hasNewContent, links)
  }

  /** Forgets the targets of links if all URLs are new again. */
  #followSeenSet(): void {
    const { seenGeneration } = this.#counters
    if (seenGeneration !== this.#seenGeneration) this.forget()
    this.#seenGeneration = seenGeneration
  }

  #linksOf(
    crawlUrl: CrawlUrl,
    scan: PageScan,
    added: readonly Link[],
    all: boolean,
    nofollow: boolean,
  ): UncheckedLinks | undefined {
    const depth = crawlUrl.depth + 1
    const rewrites: UrlRewrite[] = []
    const request = {
      url: crawlUrl.url,
      depth,
      added,
      heedsNofollow: this.#rules.heedsNofollow,
      external: this.#rules.external,
      all,
      nofollow,
      isAtDepthLimit: crawlUrl.depth >= this.#depthLimit,
      nearer: this.#counters.deepest >= depth,
      keep: crawlUrl.keepLinks && !all,
    }
    const verdictOf = (url: string) => this.#verdictOn(url, rewrites)
    const report = this.#scanner.links.report(scan, request, verdictOf)
    return report && this.#uncheckedLinks(crawlUrl, report, rewrites)
  }

  #verdictOn(url: string, rewrites: UrlRewrite[]): TargetVerdict {
    const standIn = this.#rules.rewrite(url, rewrites)
    return standIn === url ? { reason: this.#rules.whyNot(url) } : { standIn }
  }

  #uncheckedLinks(
    crawlUrl: CrawlUrl,
    report: LinkReport,
    rewrites: readonly UrlRewrite[],
  ): UncheckedLinks {
    const { targets } = this.#scanner.links
    const { depth } = crawlUrl
    const { links, skips, assets } = report
    const skipped = this.#skipsOf(skips, crawlUrl, depth + 1)
    const loaded = this.#assetsOf(crawlUrl, report)
    // Assets that were too many hops away were not added to the seen set.
    const added = loaded.urls.length > 0 ? assets : NO_NUMBERS
    const omitted = report.followed - links.length
    return {
      urls: urlsOf(links, targets),
      nearer: urlsOf(report.nearer, targets),
      kept: report.kept && urlsOf(report.kept, targets),
      omitted,
      rewrites,
      known: Math.min(omitted, report.known),
      assetUrls: loaded.urls,
      skips: loaded.skips.length === 0 ? skipped : [...skipped, ...loaded.skips],
      remember: (tooDeep) => {
        if (this.#remembersUrls) this.#rememberUrls(links, added, tooDeep)
        if (this.#remembersSkips) this.#rememberSkips(report)
      },
    }
  }

  #assetsOf(crawlUrl: CrawlUrl, { assets, assetSkips }: LinkReport): FilteredLinks {
    if (assets.length === 0 && assetSkips.length === 0) return NO_FILTERED_LINKS
    const urls = urlsOf(assets, this.#scanner.links.targets)
    const skips = this.#skipsOf(assetSkips, crawlUrl, crawlUrl.depth)
    return this.#rules.assetsToFetch({ urls, skips, rewrites: [] }, crawlUrl)
  }

  /** @param depth of the skipped URLs */
  #skipsOf(skipped: readonly Skipped[], { url: via }: CrawlUrl, depth: number): Skip[] {
    const { targets } = this.#scanner.links
    return skipped.map(({ target, reason }) => ({ url: targets.urlOf(target), via, depth, reason }))
  }

  #rememberUrls(
    links: readonly number[],
    assets: readonly number[],
    tooDeep: readonly Skip[],
  ): void {
    const { targets } = this.#scanner.links
    const deep = tooDeep.length === 0 ? undefined : new Set(tooDeep.map(({ url }) => url))
    const remember = (target: number) => {
      const isTooDeep = deep?.has(targets.urlOf(target)) === true
      targets.mark(target, isTooDeep ? TARGET_FLAG.depthReported : TARGET_FLAG.known)
    }
    links.forEach(remember)
    assets.forEach(remember)
  }

  #rememberSkips({ skips, assetSkips }: LinkReport): void {
    this.#rememberSkipsOf(skips)
    this.#rememberSkipsOf(assetSkips)
  }

  #rememberSkipsOf(skips: readonly Skipped[]): void {
    const { targets } = this.#scanner.links
    for (const { target, reason } of skips) {
      if (reason === 'nofollow') targets.mark(target, TARGET_FLAG.nofollowReported)
      // If it may be requested, such a link is reported by each page, which may be a shorter path to it.
      else if (reason !== 'out-of-scope' || !this.#rules.leavesScope)
        targets.mark(target, TARGET_FLAG.skipReported)
    }
  }
}

/** A page that was read. Its assets are looked up on demand. */
class FastPageReading implements PageReading {
  readonly charset: string
  readonly title: string | undefined
  readonly base: string | undefined
  readonly canonical: string | undefined
  readonly noindex: boolean
  readonly hasNewContent: boolean
  readonly outlinks: FoundLinks
  readonly links: UncheckedLinks
  readonly #scan: PageScan

  constructor(
    scan: PageScan,
    { noindex }: PageDirectives,
    hasNewContent: boolean,
    links: UncheckedLinks,
  ) {
    this.charset = scan.charset
    this.title = scan.title
    this.base = scan.base
    this.canonical = scan.canonical
    this.noindex = noindex
    this.hasNewContent = hasNewContent
    this.outlinks = scan.outlinks
    this.links = links
    this.#scan = scan
  }

  get assets(): readonly string[] {
    return this.#scan.assets
  }
}

function urlsOf(numbers: readonly number[], targets: TargetTable): string[] {
  return numbers.map((number) => targets.urlOf(number))
}
