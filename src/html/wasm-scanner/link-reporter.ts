import { MAX_CHARACTERS } from './layout/limits.ts'
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
  /** Links of its header. */
  readonly added?: readonly AddedLink[]
}

/** Tells what becomes of URLs that no page named before. */
type VerdictOf = (url: string) => TargetVerdict

/** Finds out where the links of scanned pages lead, and remembers it. */
export class LinkReporter {
  readonly targets: TargetTable
  readonly #module: ScannerModule
  readonly #memory: ScannerMemory
  readonly #state: ScannerState
  /** Numbers for encodings: what an href names may depend on the encoding of its page. */
  readonly #encodings = new Map([['utf-8', 0]])

  constructor(module: ScannerModule, memory: ScannerMemory) {
    this.#module = module
    this.#memory = memory
    this.targets = new TargetTable(module, memory)
    this.#state = { module, memory, targets: this.targets }
  }

  /**
   * Reports what the links of the page that was scanned last name. Undefined where there is no room for
   * all of it: then the page is to be left to the reference.
   */
  report(scan: PageScan, request: LinkRequest, verdictOf: VerdictOf): LinkReport | undefined {
    scan.records.assertCurrent()
    if (!this.#resolve(scan, request, verdictOf)) {
      // Perhaps there is room without what other pages named.
      this.targets.forget()
      if (!this.#resolve(scan, request, verdictOf)) return undefined
    }
    this.#module.reportLinks(optionBits(request), request.depth)
    const isTooMuch = this.#exceedsCharacters(CONTROL.linkCharacters)
    if (isTooMuch || this.#exceedsCharacters(CONTROL.assetCharacters)) return undefined
    return readReport(this.#memory, this.targets)
  }

  /** @param field one of `CONTROL` */
  #exceedsCharacters(field: number): boolean {
    return (this.#memory.control[field] ?? 0) > MAX_CHARACTERS
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
