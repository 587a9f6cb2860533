import { type Link, LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { LinkRules } from '../../../src/fetch-worker/links/link-rules.ts'
import type { ScannedPage } from '../../../src/html/reference-scanner/page-collector.ts'
import type { LinkReport, Skipped } from '../../../src/html/wasm-scanner/link-report.ts'
import type { LinkReporter } from '../../../src/html/wasm-scanner/link-reporter.ts'
import type { PageScan } from '../../../src/html/wasm-scanner/page-scan.ts'
import type { TargetVerdict } from '../../../src/html/wasm-scanner/target-table.ts'
import type { CanonicalRule } from '../../../src/url/canonical-rules.ts'
import { CanonicalRules } from '../../../src/url/canonical-rules.ts'
import { Scope, type ScopeRules } from '../../../src/url/scope.ts'

interface Rules {
  readonly scope: ScopeRules
  readonly canonicalize?: readonly CanonicalRule[]
  readonly ignoreRobots?: boolean
  readonly external?: boolean
}

/** The links of a page, as judged. */
export interface Admitted {
  readonly urls: readonly string[]
  readonly assets: readonly string[]
  /** Each skipped URL once, as `reason url`. */
  readonly skips: readonly string[]
}

/** Judges the links of pages both with the reference and with the module, which remembers earlier pages. */
export class BothAdmissions {
  readonly #rules: Required<Rules>
  readonly #reporter: LinkReporter
  readonly #scope: Scope
  readonly #canonical: CanonicalRules
  /** URLs that rules have changed, as reported by each of the two. */
  readonly rewritten = { reference: new Set<string>(), module: new Set<string>() }

  constructor(reporter: LinkReporter, rules: Rules) {
    this.#rules = { canonicalize: [], ignoreRobots: false, external: false, ...rules }
    this.#reporter = reporter
    this.#scope = new Scope(rules.scope)
    this.#canonical = new CanonicalRules(this.#rules.canonicalize)
  }

  /** Judges links with a filter that doesn't remember other pages. */
  byReference(
    { page, charset }: { readonly page: ScannedPage; readonly charset: string },
    url: string,
    nofollow: boolean,
    header: readonly Link[] = [],
  ): Admitted {
    const gate = new LinkFilter(
      new LinkRules({
        ...this.#rules,
        externalAssets: false,
        sitemaps: false,
        stripQuery: false,
        widened: [],
      }),
    )
    const from = {
      ...{ id: 1, url, depth: 1, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 },
      ...({ hop: 'link', keepLinks: false } as const),
    }
    const base = { baseHref: page.base, encoding: charset }
    const inPage = gate.filter(page.outlinks, from, { ...base, nofollow }, 2)
    const inHeader = gate.filter(header, from, { nofollow }, 2)
    const loaded = gate.filter(
      page.assets.map((href) => ({ href })),
      from,
      base,
      1,
    )
    for (const { rewrites: rewritings } of [inPage, inHeader, loaded]) {
      for (const { before } of rewritings) this.rewritten.reference.add(before)
    }
    const skips = [...inPage.skips, ...inHeader.skips, ...loaded.skips]
    return {
      urls: [...new Set([...inPage.urls, ...inHeader.urls])],
      assets: loaded.urls,
      skips: [
        ...new Set(skips.map(({ reason, url: skipped }) => `${reason} ${skipped.slice(0, 2_000)}`)),
      ],
    }
  }

  /** Judges links with the module. Returns undefined if the module leaves the page to the reference. */
  byModule(
    scan: PageScan,
    url: string,
    nofollow: boolean,
    added: readonly Link[] = [],
  ): Admitted | undefined {
    const { ignoreRobots, external } = this.#rules
    const options = { nofollow, heedsNofollow: !ignoreRobots, external, all: true }
    const request = { url, depth: 2, added, ...options }
    const report = this.#reporter.report(scan, request, (each) => this.#verdictOf(each))
    return report && this.#admittedBy(report)
  }

  #admittedBy({ links, assets, skips, assetSkips }: LinkReport): Admitted {
    const { targets } = this.#reporter
    const named = ({ target, reason }: Skipped) =>
      `${reason} ${targets.urlOf(target).slice(0, 2_000)}`
    return {
      urls: links.map((target) => targets.urlOf(target)),
      assets: assets.map((target) => targets.urlOf(target)),
      skips: [...new Set([...skips, ...assetSkips].map(named))],
    }
  }

  #verdictOf(url: string): TargetVerdict {
    const { url: standIn } = this.#canonical.explain(url)
    if (standIn === url) return { reason: this.#scope.whyNot(url) }
    this.rewritten.module.add(url)
    return { standIn }
  }
}
