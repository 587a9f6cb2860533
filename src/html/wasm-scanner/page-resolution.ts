import { LinkResolver } from '../../url/resolve.ts'
import { isNofollow } from '../reference-scanner/rel-keywords.ts'
import { assetsAt, foundAssets } from './found-assets.ts'
import { LINK_KIND, NO_TARGET, NOFOLLOW } from './layout/codes.ts'
import { CONTROL, LINK } from './layout/records.ts'
import type { ScannerModule } from './module.ts'
import { isPageIndependent, isPageIndependentFailure } from './page-independent.ts'
import type { PageScan } from './page-scan.ts'
import type { ScannerMemory } from './scanner-memory.ts'
import type { TargetTable, TargetVerdict } from './target-table.ts'

/** A link that is not in the page itself, such as a link in a header. */
export interface AddedLink {
  /** The href as written. It is relative to the page's URL, even if the page has a `<base>`. */
  readonly href: string
  readonly rel?: string
}

/** The module with its memory and its table of URLs, which all pages share. */
export interface ScannerState {
  readonly module: ScannerModule
  readonly memory: ScannerMemory
  readonly targets: TargetTable
}

/** The URL to which an href resolves. */
interface NumberedTarget {
  /** The URL's number in the target table. */
  readonly target: number
  /** True if the href resolves to this URL on other pages, too, so that the module may remember it. */
  readonly isCacheable: boolean
}

/**
 * Resolves each link of one page to the number of a URL. All methods return false if there is no more room for URLs or
 * links.
 */
export class PageResolution {
  readonly #module: ScannerModule
  readonly #memory: ScannerMemory
  readonly #targets: TargetTable
  readonly #scan: PageScan
  readonly #url: string
  #resolver: LinkResolver | undefined

  constructor({ module, memory, targets }: ScannerState, scan: PageScan, url: string) {
    this.#module = module
    this.#memory = memory
    this.#targets = targets
    this.#scan = scan
    this.#url = url
  }

  /** Resolves the links in the page. @param encoding a number for its encoding */
  resolveLinks(encoding: number): boolean {
    // `#` resolves to the base itself.
    const base = this.#scan.base === undefined ? this.#url : this.#ofPage.resolve('#')
    const length = base === undefined ? 0 : this.#targets.pass(base)
    if (this.#module.resolveLinks(length, encoding) === 0) return false
    const count = this.#memory.control[CONTROL.unresolvedCount] ?? 0
    for (let index = 0; index < count; index++) {
      if (!this.#resolveLink(this.#memory.unresolved[index] ?? 0)) return false
    }
    return this.#scan.srcsetBytes === 0 || this.#addAssets()
  }

  /** Adds links that are not in the page itself. */
  addLinks(links: readonly AddedLink[]): boolean {
    if (links.length === 0) return true
    const resolver = new LinkResolver(this.#url)
    return links.every(({ href, rel }) => {
      const nofollow = isNofollow(rel) ? NOFOLLOW.yes : NOFOLLOW.no
      return this.#add(LINK_KIND.added, href, nofollow, resolver)
    })
  }

  /** Gets the verdicts on all new URLs. */
  judge(verdictOf: (url: string) => TargetVerdict): boolean {
    const count = this.#memory.control[CONTROL.unjudgedCount] ?? 0
    for (let index = 0; index < count; index++) {
      const target = this.#memory.unjudged[index] ?? 0
      if (this.#targets.judge(target, verdictOf) === undefined) return false
    }
    return true
  }

  get #ofPage(): LinkResolver {
    const { base, charset } = this.#scan
    this.#resolver ??= new LinkResolver(this.#url, { baseHref: base, encoding: charset })
    return this.#resolver
  }

  /** Resolves a link that the module couldn't. */
  #resolveLink(link: number): boolean {
    const { records, outlinks, srcsetBytes } = this.#scan
    const isAsset = records.field(link, LINK.kind) >= LINK_KIND.asset
    if (isAsset && srcsetBytes > 0) return true
    const href = isAsset ? assetsAt(records, link)[0] : outlinks.hrefOf(link)
    if (href === undefined || !(isAsset || outlinks.isLink(link))) {
      this.#module.setLinkTarget(link, NO_TARGET.notALink, 0)
      return true
    }
    if (records.field(link, LINK.nofollow) === NOFOLLOW.uncertain) {
      const nofollow = isNofollow(outlinks.relOf(link)) ? NOFOLLOW.yes : NOFOLLOW.no
      records.setField(link, LINK.nofollow, nofollow)
    }
    const named = this.#named(href, this.#ofPage)
    if (named === undefined) return false
    // The href of a refresh is only a part of its value, but the module would remember the whole value.
    const isWhole = records.field(link, LINK.kind) !== LINK_KIND.refresh
    this.#module.setLinkTarget(link, named.target, Number(isWhole && named.isCacheable))
    return true
  }

  /** Adds all assets again as new links, in page order: a `srcset` has several URLs, but only one record. */
  #addAssets(): boolean {
    const { records } = this.#scan
    for (let link = 0; link < records.count; link++) {
      const isAsset = records.field(link, LINK.kind) >= LINK_KIND.asset
      if (isAsset) records.setField(link, LINK.target, NO_TARGET.notALink)
    }
    return foundAssets(records).every((href) =>
      this.#add(LINK_KIND.addedAsset, href, NOFOLLOW.no, this.#ofPage),
    )
  }

  #add(kind: number, href: string, nofollow: number, resolver: LinkResolver): boolean {
    const named = this.#named(href, resolver)
    return named !== undefined && this.#module.addLink(kind, named.target, nofollow) !== 0
  }

  #named(href: string, resolver: LinkResolver): NumberedTarget | undefined {
    const url = resolver.resolve(href)
    if (url !== undefined) {
      const target = this.#targets.numberOf(url)
      return target === undefined ? undefined : { target, isCacheable: isPageIndependent(href) }
    }
    const target = this.#targets.numberOfFailure(href, resolver.failureReason(href))
    return target === undefined
      ? undefined
      : { target, isCacheable: isPageIndependentFailure(href) }
  }
}
