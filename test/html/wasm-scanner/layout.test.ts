import { describe, expect, it } from 'vitest'
import * as codes from '../../../src/html/wasm-scanner/layout/codes.ts'
import {
  MAX_PRESCANNED,
  MAX_TARGETS,
  PADDING,
  URL_SLOTS,
} from '../../../src/html/wasm-scanner/layout/limits.ts'
import { ATTRIBUTE_NAMES, TAG_NAMES, TEXTS } from '../../../src/html/wasm-scanner/layout/names.ts'
import * as records from '../../../src/html/wasm-scanner/layout/records.ts'
import { MEMORY_PAGES, REGIONS } from '../../../src/html/wasm-scanner/layout/regions.ts'

const RECORDS = Object.entries(records).filter(([name]) => name !== 'WORDS')
const { WORDS } = records
const words: ReadonlyMap<string, number> = new Map(Object.entries(WORDS))

describe('the memory of the page scanner', () => {
  it.each(RECORDS)('has one word for each field of %s', (name, fields) => {
    const key = name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const places = Object.values(fields).sort((a, b) => a - b)
    expect(places).toEqual(places.map((_, place) => place))
    expect(words.get(key)).toBeGreaterThanOrEqual(places.length)
  })

  it("has regions that don't overlap, aligned to cache lines", () => {
    let end = 0
    for (const { start, bytes } of REGIONS) {
      expect(start % 64).toBe(0)
      expect(start).toBeGreaterThanOrEqual(end)
      end = start + bytes
    }
    expect(MEMORY_PAGES * 2 ** 16).toBeGreaterThanOrEqual(end)
  })

  it('has space to save what follows the head of a page', () => {
    const body = REGIONS.find(({ name }) => name === 'body')
    expect(body?.bytes).toBeGreaterThan(MAX_PRESCANNED + PADDING)
  })

  it('fits the number of a URL, its encoding and its reason into one word', () => {
    // A URL, or the number for all URLs, takes eighteen bits; an encoding takes six.
    expect(MAX_TARGETS).toBeLessThanOrEqual(2 ** 17)
    expect(MAX_TARGETS).toBeLessThanOrEqual(2 ** codes.REPORT_SHIFT)
    expect(URL_SLOTS).toBeGreaterThanOrEqual(2 * MAX_TARGETS)
  })
})

describe('the codes of the page scanner', () => {
  const { TARGET_FLAG, SCAN_OPTION, REPORT_OPTION } = codes
  it.each([Object.values(TARGET_FLAG), Object.values(SCAN_OPTION), Object.values(REPORT_OPTION)])(
    'are powers of two for options and flags: %j',
    (...bits) => {
      expect(bits).toEqual(bits.map((_, place) => 2 ** place))
    },
  )

  it.each([codes.LINK_KIND, codes.HEAD_TAG_KIND, codes.REPORT, codes.NOFOLLOW, codes.SCAN_RESULT])(
    'are consecutive numbers for kinds: %j',
    (kinds) => {
      const numbers = Object.values(kinds)
      expect(numbers).toEqual(numbers.map((_, number) => number))
    },
  )
})

describe('the names that the page scanner recognizes', () => {
  it.each([
    ['tags', TAG_NAMES],
    ['attributes', ATTRIBUTE_NAMES],
    ['values', TEXTS],
  ])('are distinct %s in lower case', (_, names) => {
    expect(new Set(names.map((name) => name.toLowerCase()))).toEqual(new Set(names))
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeLessThan(codes.UNKNOWN_NAME)
  })

  it('include at most 32 attributes, the bits of a word', () => {
    expect(ATTRIBUTE_NAMES.length).toBeLessThanOrEqual(32)
  })
})
