import { describe, expect, it } from 'vitest'
import { bloomSize } from '../../../src/seen/bloom/bloom-size.ts'

describe('bloomSize', () => {
  it('returns the textbook size for a million URLs at a rate of 0.001', () => {
    const { bits, hashes } = bloomSize(1e6, 0.001)
    expect(hashes).toBe(10)
    expect(bits / (-1e6 * Math.log(0.001)) / Math.LOG2E ** 2).toBeCloseTo(1, 3)
  })

  it('keeps the requested rate with a whole number of hash functions, for at most 1 % more bits', () => {
    const urls = 1e6
    for (let rate = 0.9; rate > 1e-12; rate *= 0.83) {
      const { bits, hashes } = bloomSize(urls, rate)
      const expected = (1 - Math.exp((-hashes * urls) / bits)) ** hashes
      expect(expected / rate).toBeCloseTo(1, 4)
      if (rate < 0.1) expect(bits / (-urls * Math.log(rate) * Math.LOG2E ** 2)).toBeLessThan(1.01)
    }
  })

  it('returns an odd number of bits, and a minimum for a single URL', () => {
    for (let urls = 1; urls < 1e6; urls = urls * 3 + 1) {
      expect(bloomSize(urls, 0.01).bits % 2).toBe(1)
    }
    expect(bloomSize(1, 0.5).bits).toBeGreaterThan(4000)
  })

  it('refuses more than 2^32 bits, with the maximum number of URLs', () => {
    expect(() => bloomSize(1e10, 0.001)).toThrow(
      'A Bloom filter for 10,000,000,000 URLs at a false-positive rate of 0.001 needs more than ' +
        '2^32 bits: at this rate --expected-urls can be at most 298,725,485.',
    )
    expect(bloomSize(298_725_485, 0.001).bits).toBeLessThan(2 ** 32)
    expect(() => bloomSize(298_725_486, 0.001)).toThrow('at most')
    expect(() => bloomSize(Number.POSITIVE_INFINITY, 0.001)).toThrow('at most')
  })
})
