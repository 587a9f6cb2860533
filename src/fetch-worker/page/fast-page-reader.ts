import { TARGET_FLAG } from '../../html/wasm-scanner/layout/codes.ts'
import type { LinkReport, Skipped } from '../../html/wasm-scanner/link-report.ts'
import type { PageScan } from '../../html/wasm-scanner/page-scan.ts'
import { PageScanner } from '../../html/wasm-scanner/page-scanner.ts'
import type { TargetVerdict } from '../../html/wasm-scanner/target-table.ts'
import { Counters } from '../../messages/counters.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { pageDirectives } from '../../robots/page-directives.ts'
import { productToken } from '../../robots/product-token.ts'
import { forgettingOf } from '../../seen/seen-set-lifecycle.ts'
import type { BoilerplateDetector } from '../../traps/boilerplate/boilerplate-detector.ts'
import type { Link } from '../links/link-filter.ts'
import type { UrlRewrite } from '../links/link-list.ts'
import { limitSameDepth } from '../links/link-list.ts'
import type { LinkRules } from '../links/link-rules.ts'
import type { PageReading, PageResponse, UncheckedLinks } from './page-reading.ts'

type ReaderSetup = Pick<
  WorkerSetup,
  'assets' | 'counters' | 'countedSkips' | 'depth' | 'seen' | 'userAgent'
>

/**
 * Reads pages with the scanner in WebAssembly, which remembers the links of earlier pages: only URLs that this
 * worker has not checked before become strings.
 */
export class FastPageReader {
  readonly #scanner: PageScanner
  readonly #rules: LinkRules
  readonly #boilerplate: BoilerplateDetector | undefined
  readonly #counters: Counters
  readonly #depthLimit: number
  readonly #productToken: string
  /** False where the shared set may forget a URL, so that it has to be asked each time. */
  readonly #remembersUrls: boolean
  readonly #remembersSkips: boolean

  constructor(setup: ReaderSetup, rules: LinkRules, boilerplate: BoilerplateDetector | undefined) {
    this.#productToken = productToken(setup.userAgent)
    this.#scanner = PageScanner.open({
      agents: [this.#productToken],
      assets: setup.assets,
      samples: boilerplate !== undefined,
    })
    this.#rules = rules
    this.#boilerplate = boilerplate
    this.#counters = new Counters(setup.counters)
    this.#depthLimit = setup.depth
    this.#remembersUrls = forgettingOf(setup.seen.name) === 'never'
    this.#remembersSkips = forgettingOf(setup.countedSkips.name) === 'never'
  }

  /** Forgets what it knows of URLs. To be called when the scope has grown. */
  forget(): void {
    this.#scanner.links.targets.forget()
  }

  /**
   * Returns undefined for a page that has to be read in another way.
   * @param all true to find all URLs, also those that were checked before
   */
  read(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    headerLinks: readonly Link[],
    all: boolean,
  ): PageReading | undefined {
    const { body, headers, contentType } = response
    const place = this.#scanner.body(body.length)
    if (place === undefined) return undefined
    place.set(body)
    const scan = this.#scanner.scan(body.length, contentType?.charset)
    if (scan === undefined) return undefined
    const robotsTag = headers['x-robots-tag']
    const { noindex, nofollow } = pageDirectives(scan.robots, robotsTag, this.#productToken)
    const links = this.#linksOf(crawlUrl, scan, headerLinks, { all, nofollow })
    if (links === undefined) return undefined
    const { charset, title, base, canonical, outlinks } = scan
    return {
      ...{ charset, title, base, canonical, noindex, outlinks, links },
      hasNewContent: this.#boilerplate?.hasNewContent(crawlUrl.url, scan.samples) ?? true,
      get assets() {
        return scan.assets
      },
    }
  }

  #linksOf(
    crawlUrl: CrawlUrl,
    scan: PageScan,
    added: readonly Link[],
    options: { readonly all: boolean; readonly nofollow: boolean },
  ): UncheckedLinks | undefined {
    const { heedsNofollow, external } = this.#rules
    const depth = crawlUrl.depth + 1
    const rewrites: UrlRewrite[] = []
    const report = this.#scanner.links.report(
      scan,
      {
        ...{ url: crawlUrl.url, depth, added, heedsNofollow, external, ...options },
        isAtDepthLimit: crawlUrl.depth >= this.#depthLimit,
        nearer: this.#counters.deepest >= depth,
      },
      (url) => this.#verdictOn(url, rewrites),
    )
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
    const { url: via, depth } = crawlUrl
    const urlsOf = (numbers: readonly number[]) => numbers.map((number) => targets.urlOf(number))
    const skipsOf = (skipped: readonly Skipped[], at: number): Skip[] =>
      skipped.map(({ target, reason }) => ({ url: targets.urlOf(target), via, depth: at, reason }))
    const { links, skips, assets, assetSkips } = report
    const loaded = limitSameDepth(
      { urls: urlsOf(assets), skips: skipsOf(assetSkips, depth), rewrites: [] },
      crawlUrl,
    )
    // Assets that were too many hops away were not added to the seen set.
    const added = loaded.urls.length > 0 ? assets : []
    const omitted = report.followed - links.length
    return {
      ...{ urls: urlsOf(links), nearer: urlsOf(report.nearer), omitted, rewrites },
      known: Math.min(omitted, report.known),
      assetUrls: loaded.urls,
      skips: [...skipsOf(skips, depth + 1), ...loaded.skips],
      remember: (tooDeep) => {
        if (this.#remembersUrls) this.#rememberUrls([...links, ...added], tooDeep)
        if (this.#remembersSkips) this.#rememberSkips(report)
      },
    }
  }

  #rememberUrls(checked: readonly number[], tooDeep: readonly Skip[]): void {
    const { targets } = this.#scanner.links
    const deep = new Set(tooDeep.map(({ url }) => url))
    for (const target of checked) {
      const isTooDeep = deep.size > 0 && deep.has(targets.urlOf(target))
      targets.mark(target, isTooDeep ? TARGET_FLAG.depthTold : TARGET_FLAG.known)
    }
  }

  #rememberSkips({ skips, assetSkips }: LinkReport): void {
    const { targets } = this.#scanner.links
    for (const { target, reason } of [...skips, ...assetSkips]) {
      if (reason === 'nofollow') targets.mark(target, TARGET_FLAG.nofollowTold)
      // With --external the frontier decides on each page whether it is nearer.
      else if (reason !== 'out-of-scope' || !this.#rules.external)
        targets.mark(target, TARGET_FLAG.skipTold)
    }
  }
}
