import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pieceDecoder } from '../../../src/encoding/decode-byte-string.ts'
import { scan } from '../../../src/html/reference-scanner/scan.ts'
import { scanPage } from '../../../src/html/reference-scanner/scan-page.ts'
import { randomCases } from '../../support/soak.ts'
import { assetSoup, tagSoup } from './tag-soup.ts'
import { assetOracle, tokenOracle } from './token-oracle.ts'

const decode = pieceDecoder('utf-8')

it('the reference scanner finds the same links as the tokenizer of parse5 in random tags', () => {
  fc.assert(
    fc.property(tagSoup, (html) => {
      const { outlinks } = scan(Buffer.from(html), { maxLinks: 1_000, decode })
      expect([...outlinks]).toEqual(tokenOracle(html))
    }),
    { numRuns: randomCases(2_000) },
  )
})

it('the reference scanner finds the same assets as the tokenizer of parse5 in random tags', () => {
  fc.assert(
    fc.property(assetSoup, (html) => {
      const { assets, outlinks } = scan(Buffer.from(html), {
        maxLinks: 1_000,
        decode,
        assets: true,
      })
      expect([...outlinks]).toEqual(tokenOracle(html))
      expect([...assets].sort()).toEqual(assetOracle(html).sort())
    }),
    { numRuns: randomCases(2_000) },
  )
})

it('the reference scanner never throws, for any bytes and any charset', () => {
  const charset = fc.option(
    fc.oneof(fc.constantFrom('gbk', 'shift_jis', 'euc-kr', 'utf-16', 'iso-2022-jp'), fc.string()),
    { nil: undefined },
  )
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 9 }),
      tagSoup.map((html) => Buffer.from(html, 'utf8')),
    ),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(bytes, charset, (parts, label) => {
      const { page } = scanPage(Buffer.concat(parts), label, {
        ...{ maxLinks: 10, assets: true },
      })
      expect(page.outlinks.length + page.assets.length).toBeLessThanOrEqual(10)
    }),
    { numRuns: randomCases(2_000) },
  )
})
