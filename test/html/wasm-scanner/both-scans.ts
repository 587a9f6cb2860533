import type { Outlink } from '../../../src/html/reference-scanner/found-links.ts'
import { type DecodedScan, scanPage } from '../../../src/html/reference-scanner/scan-page.ts'
import { TextSamples } from '../../../src/html/reference-scanner/text-samples.ts'
import { WASM } from '../../../src/html/wasm-scanner/generated/checked.ts'
import type { PageScan } from '../../../src/html/wasm-scanner/page-scan.ts'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'

const AGENTS = ['orbweaver']

/** The result of scanning a page, without references to memory. */
export interface Findings {
  readonly charset: string
  readonly base: string | undefined
  readonly title: string | undefined
  readonly canonical: string | undefined
  readonly robots: unknown
  readonly outlinks: readonly Outlink[]
  readonly assets: unknown
  readonly samples: unknown
}

interface Options {
  readonly assets?: boolean
  readonly maxLinks?: number
  /** The module to run; by default the one with checks. */
  readonly wasm?: string
}

/** Scans the same pages with the reference and with the module. */
export class BothScanners {
  readonly scanner: PageScanner
  readonly #shown = new TextSamples()
  readonly #assets: boolean
  readonly #maxLinks: number

  constructor({ assets = false, maxLinks = 100_000, wasm = WASM }: Options = {}) {
    this.#assets = assets
    this.#maxLinks = maxLinks
    this.scanner = PageScanner.open({ agents: AGENTS, assets, samples: true, maxLinks }, wasm)
  }

  extract(body: Buffer, charset?: string): DecodedScan {
    const options = { maxLinks: this.#maxLinks, agents: AGENTS, assets: this.#assets }
    return scanPage(body, charset, { ...options, samples: this.#shown })
  }

  byReference(body: Buffer, charset?: string): Findings {
    const extracted = this.extract(body, charset)
    const { base, title, canonical, robots, outlinks, assets } = extracted.page
    const samples = Array.from({ length: this.#shown.count }, (_, at) => this.#shown.at(at))
    const found = { robots, outlinks: [...outlinks], assets: [...assets], samples }
    return { charset: extracted.charset, base, title, canonical, ...found }
  }

  /** Scans a page with the module. Returns undefined if the module leaves the page to the reference. */
  byModule(body: Buffer, charset?: string): Findings | undefined {
    const scan = this.scan(body, charset)
    return scan && this.findingsOf(scan)
  }

  scan(body: Buffer, charset?: string): PageScan | undefined {
    const place = this.scanner.body(body.length)
    if (place === undefined) return undefined
    place.set(body)
    return this.scanner.scan(body.length, charset)
  }

  /** Copies the result of a scan, before the next page is scanned. */
  findingsOf(scan: PageScan): Findings {
    const { charset, base, title, canonical, robots } = scan
    const samples = Array.from({ length: scan.samples.count }, (_, at) => scan.samples.at(at))
    const outlinks = [...scan.outlinks]
    const assets = this.#assets ? scan.assets : []
    return { charset, base, title, canonical, robots, outlinks, assets, samples }
  }
}
