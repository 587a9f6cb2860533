import { BoilerplateDetector } from '../../../src/html/boilerplate/boilerplate-detector.ts'
import { MAX_RARE, type TextCounts } from '../../../src/html/boilerplate/text-count-table.ts'
import type { Outlink } from '../../../src/html/reference-scanner/outlinks.ts'
import { type DecodedScan, scanPage } from '../../../src/html/reference-scanner/scan-page.ts'
import { TextSamples } from '../../../src/html/reference-scanner/text-samples.ts'
import { WASM } from '../../../src/html/wasm-scanner/generated/checked.ts'
import type { PageScan } from '../../../src/html/wasm-scanner/page-scan.ts'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'

const AGENTS = ['orbweaver']
const URL = 'http://a.test:8080/x/some%20text/%C3%A9?title=y'

/** Keeps the hashes of all texts. They all count as frequent, so that each page is read to its end. */
class AllTexts implements TextCounts {
  readonly key = 0x1234_5678
  #hashes: number[] = []

  count(first: number, second: number): number {
    this.#hashes.push(first, second)
    return MAX_RARE + 1
  }

  /** Returns the hashes since the last call. */
  take(): readonly number[] {
    const hashes = this.#hashes
    this.#hashes = []
    return hashes
  }
}

/** The result of scanning a page, without references to memory. */
export interface Findings {
  readonly charset: string
  readonly base: string | undefined
  readonly title: string | undefined
  readonly canonical: string | undefined
  readonly robots: unknown
  readonly outlinks: readonly Outlink[]
  readonly assets: unknown
  /** Hashes of the texts and media. */
  readonly texts: readonly number[]
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
  readonly #samples = new TextSamples()
  readonly #texts = new AllTexts()
  readonly #detector = new BoilerplateDetector(this.#texts)
  readonly #assets: boolean
  readonly #maxLinks: number

  constructor({ assets = false, maxLinks = 100_000, wasm = WASM }: Options = {}) {
    this.#assets = assets
    this.#maxLinks = maxLinks
    const options = { agents: AGENTS, assets, textCounts: this.#texts, maxLinks }
    this.scanner = PageScanner.open(options, wasm)
  }

  extract(body: Buffer, charset?: string): DecodedScan {
    const options = { maxLinks: this.#maxLinks, agents: AGENTS, assets: this.#assets }
    return scanPage(body, charset, { ...options, samples: this.#samples })
  }

  byReference(body: Buffer, charset?: string): Findings {
    const extracted = this.extract(body, charset)
    const { base, title, canonical, robots, outlinks, assets } = extracted.page
    const found = { robots, outlinks: [...outlinks], assets: [...assets] }
    this.#detector.hasNewContent(URL, this.#samples)
    const texts = this.#texts.take()
    return { charset: extracted.charset, base, title, canonical, ...found, texts }
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
    const outlinks = [...scan.outlinks]
    const assets = this.#assets ? scan.assets : []
    this.scanner.hasNewContent(scan, URL)
    const texts = this.#texts.take()
    return { charset, base, title, canonical, robots, outlinks, assets, texts }
  }
}
