import { MAX_LINK_CHARACTERS } from '../link-limits.ts'
import { CONTROL } from './layout/records.ts'
import { type LinkReport, optionBits, type ReportOptions, readReport } from './link-report.ts'
import type { ScannerModule } from './module.ts'
import { type AddedLink, PageResolution, type ScannerState } from './page-resolution.ts'
import type { PageScan } from './page-scan.ts'
import type { ScannerMemory } from './scanner-memory.ts'
import { TargetTable, type TargetVerdict } from './target-table.ts'

export interface LinkRequest extends ReportOptions {
  /** Canonical URL of the page. */
  readonly url: string
  /** Links of the response's headers. */
  readonly added?: readonly AddedLink[]
}

/** Returns the verdict on a URL. It is called once for each new URL. */
type VerdictOf = (url: string) => TargetVerdict

/** Resolves the links of scanned pages to URLs, remembers these, and reports the URLs that the worker must know. */
export class LinkReporter {
  readonly targets: TargetTable
  readonly #state: ScannerState
  /** Numbers for encodings. An href may resolve to different URLs in pages with different encodings. */
  readonly #encodings = new Map([['utf-8', 0]])

  constructor(module: ScannerModule, memory: ScannerMemory) {
    this.targets = new TargetTable(module, memory)
    this.#state = { module, memory, targets: this.targets }
  }

  /**
   * Reports the URLs of the links of the page that was scanned last. Returns undefined if the module has no room for
   * all of them. The reference must read the page then.
   */
  report(scan: PageScan, request: LinkRequest, verdictOf: VerdictOf): LinkReport | undefined {
    scan.records.assertCurrent()
    if (!this.#resolve(scan, request, verdictOf)) {
      // Without the URLs of other pages, there may be room.
      this.targets.forget()
      if (!this.#resolve(scan, request, verdictOf)) return undefined
    }
    this.#state.module.reportLinks(optionBits(request), request.depth)
    const isTooMuch = this.#exceedsCharacters(CONTROL.linkCharacters)
    if (isTooMuch || this.#exceedsCharacters(CONTROL.assetCharacters)) return undefined
    return readReport(this.#state.memory, this.targets, request.keep)
  }

  /** @param field one of `CONTROL` */
  #exceedsCharacters(field: number): boolean {
    return (this.#state.memory.control[field] ?? 0) > MAX_LINK_CHARACTERS
  }

  #resolve(scan: PageScan, { url, added = [] }: LinkRequest, verdictOf: VerdictOf): boolean {
    const page = new PageResolution(this.#state, scan, url)
    const encoding = this.#encodingNumber(scan.charset)
    return page.resolveLinks(encoding) && page.addLinks(added) && page.judge(verdictOf)
  }

  #encodingNumber(charset: string): number {
    const known = this.#encodings.get(charset)
    if (known !== undefined) return known
    const number = this.#encodings.size
    this.#encodings.set(charset, number)
    return number
  }
}
