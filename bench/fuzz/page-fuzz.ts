import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { CANONICAL_RULES } from '../../src/url/canonical-rules.ts'
import {
  assetSoup,
  foreignSoup,
  headSoup,
  tagSoup,
} from '../../test/html/reference-scanner/tag-soup.ts'
import { tokenOracle } from '../../test/html/reference-scanner/token-oracle.ts'
import { BothAdmissions } from '../../test/html/wasm-scanner/both-admissions.ts'
import { BothScanners } from '../../test/html/wasm-scanner/both-scans.ts'
import { arbitraryHref } from '../../test/url/arbitrary-href.ts'

const SCOPE = { scope: 'host', seeds: ['http://a.test/'], include: [], exclude: ['x'] } as const
const URLS = [
  ...['http://a.test/', 'http://a.test/x/', 'http://a.test/x/page?q=/y', 'https://a.test:8443/a/b'],
  ...['http://b.test/x//y/', `http://a.test/${'long/'.repeat(1_500)}`],
]
const LABELS = [
  ...['utf-8', 'gbk', 'big5', 'shift_jis', 'euc-kr', 'utf-16le', 'iso-2022-jp', 'koi8-r', 'no'],
  ...[undefined, undefined, undefined, undefined],
]
const HEADER = [{ href: '/of/header' }, { href: 'x?y', rel: 'nofollow' }, { href: 'mailto:x' }]
const HREFS = ['a', '.', '/', '../', 'b.c', '?', '#', '%E4', '%3D', '&amp;', ':', ' ', '//', 'é']
const SOUPS = [assetSoup, foreignSoup, headSoup]
const SOUPS_AT_ONCE = 20

/** Compares the scanner in WebAssembly with the reference, page after page in the same memory. */
export class PageFuzz {
  readonly counts = { compared: 0, leftToReference: 0, soups: 0 }
  readonly #random: () => number
  readonly #pairs = [
    pair({}, {}),
    pair({ assets: true }, { canonicalize: CANONICAL_RULES, external: true }),
    pair({ assets: true, maxLinks: 9 }, { ignoreRobots: true }),
  ]

  constructor(random: () => number) {
    this.#random = random
  }

  /** @throws if the two scanners find different things */
  compare(body: Buffer): void {
    const { scanners, admissions } = this.#oneOf(this.#pairs)
    const label = this.#oneOf(LABELS)
    const scan = scanners.scan(body, label)
    this.counts.compared++
    if (scan === undefined) {
      this.counts.leftToReference++
      return
    }
    deepStrictEqual(scanners.findingsOf(scan), scanners.byReference(body, label))
    const [url, nofollow] = [this.#oneOf(URLS), this.#random() < 0.1]
    const header = this.#random() < 0.1 ? HEADER : []
    const admitted = admissions.byModule(scan, url, nofollow, header)
    if (admitted === undefined) this.counts.leftToReference++
    else {
      const extracted = scanners.extract(body, label)
      deepStrictEqual(admitted, admissions.byReference(extracted, url, nofollow, header))
    }
  }

  /** Compares pages that consist only of relevant tokens. The links of some are compared with parse5, too. */
  compareSoups(): void {
    const links = fc.oneof(arbitraryHref, plainHref).map((href) => `<a href="${href}">`)
    const page = fc.array(links, { minLength: 1, maxLength: 40 }).map((all) => all.join(''))
    for (const html of this.#sample(fc.oneof(...SOUPS, page))) this.compare(Buffer.from(html))
    const [{ scanners } = pair({}, {})] = this.#pairs
    for (const html of this.#sample(tagSoup)) {
      const scan = scanners.scan(Buffer.from(html))
      if (scan?.charset === 'utf-8') deepStrictEqual([...scan.outlinks], tokenOracle(html))
      this.compare(Buffer.from(html))
    }
  }

  #sample(soup: fc.Arbitrary<string>): string[] {
    this.counts.soups += SOUPS_AT_ONCE
    return fc.sample(soup, { numRuns: SOUPS_AT_ONCE, seed: Math.floor(this.#random() * 2 ** 31) })
  }

  #oneOf<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T
  }
}

const plainHref = fc
  .array(fc.constantFrom(...HREFS), { maxLength: 8 })
  .map((pieces) => pieces.join(''))

type ScannerOptions = ConstructorParameters<typeof BothScanners>[0]
type Rules = Omit<ConstructorParameters<typeof BothAdmissions>[1], 'scope'>

function pair(options: ScannerOptions, rules: Rules) {
  const scanners = new BothScanners(options)
  const admissions = new BothAdmissions(scanners.scanner.links, { scope: SCOPE, ...rules })
  return { scanners, admissions }
}
