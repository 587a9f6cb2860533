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

/** A link from elsewhere than the page itself. */
export interface AddedLink {
  /** As written: relative to the page's URL, whatever its `<base>`. */
  readonly href: string
  readonly rel?: string
}

/** What the module is shared by, and what it works on. */
export interface ScannerState {
  readonly module: ScannerModule
  readonly memory: ScannerMemory
  readonly targets: TargetTable
}

/** Where an href leads, by number, and whether it does so on other pages as well. */
interface NumberedTarget {
  readonly target: number
  readonly isLasting: boolean
}

/**
 * Gives each link of one page the number of the URL that it names. All of its methods return false when
 * there is no more room for URLs or links.
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
    // Of `#` nothing remains but the base.
    const base = this.#scan.base === undefined ? this.#url : this.#ofPage.parse('#')
    const length = base === undefined ? 0 : this.#targets.pass(base)
    if (this.#module.resolveLinks(length, encoding) === 0) return false
    const count = this.#memory.control[CONTROL.unresolvedCount] ?? 0
    for (let index = 0; index < count; index++) {
      if (!this.#settle(this.#memory.unresolved[index] ?? 0)) return false
    }
    return this.#scan.srcsetBytes === 0 || this.#addAssets()
  }

  /** Adds links that stand elsewhere. */
  addLinks(links: readonly AddedLink[]): boolean {
    if (links.length === 0) return true
    const resolver = new LinkResolver(this.#url)
    return links.every(({ href, rel }) => {
      const nofollow = isNofollow(rel) ? NOFOLLOW.yes : NOFOLLOW.no
      return this.#add(LINK_KIND.added, href, nofollow, resolver)
    })
  }

  /** Has all new URLs judged. */
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

  /** Resolves what the module has left. */
  #settle(link: number): boolean {
    const { records, outlinks, srcsetBytes } = this.#scan
    const isAsset = records.field(link, LINK.kind) >= LINK_KIND.asset
    if (isAsset && srcsetBytes > 0) return true
    const href = isAsset ? assetsAt(records, link)[0] : outlinks.hrefOf(link)
    if (href === undefined || !(isAsset || outlinks.isLink(link))) {
      this.#module.settleLink(link, NO_TARGET.none, 0)
      return true
    }
    if (records.field(link, LINK.nofollow) === NOFOLLOW.uncertain) {
      const nofollow = isNofollow(outlinks.relOf(link)) ? NOFOLLOW.yes : NOFOLLOW.no
      records.setField(link, LINK.nofollow, nofollow)
    }
    const named = this.#named(href, this.#ofPage)
    if (named === undefined) return false
    // A refresh is a part of a value, which the module takes for all of it.
    const isWhole = records.field(link, LINK.kind) !== LINK_KIND.refresh
    this.#module.settleLink(link, named.target, Number(isWhole && named.isLasting))
    return true
  }

  /** Adds all assets anew: a list of them has more than one URL in one place. */
  #addAssets(): boolean {
    const { records } = this.#scan
    for (let link = 0; link < records.count; link++) {
      const isAsset = records.field(link, LINK.kind) >= LINK_KIND.asset
      if (isAsset) records.setField(link, LINK.target, NO_TARGET.none)
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
      return target === undefined ? undefined : { target, isLasting: isPageIndependent(href) }
    }
    const target = this.#targets.numberOfFailure(href, resolver.whyNot(href))
    return target === undefined ? undefined : { target, isLasting: isPageIndependentFailure(href) }
  }
}
