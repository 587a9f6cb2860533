import { expect, it } from 'vitest'
import { pieceDecoder } from '../../../src/encoding/decode-byte-string.ts'
import type {
  ScannedPage,
  ScanOptions,
} from '../../../src/html/reference-scanner/page-collector.ts'
import { scan } from '../../../src/html/reference-scanner/scan.ts'

const decode = pieceDecoder('utf-8')

export function page(html: string, options: Partial<ScanOptions> = {}): ScannedPage {
  return scan(Buffer.from(html), { maxLinks: 1_000, decode, ...options })
}

export function hrefs(html: string): string[] {
  return [...page(html).outlinks].map(({ href }) => href)
}

/** Adds a test for each row: its name, a page, and the links of the page. */
export function gives(cases: readonly (readonly [string, string, ...string[]])[]): void {
  it.each(cases)('%s', (_, html, ...expected) => expect(hrefs(html)).toEqual(expected))
}
