import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UrlHash } from '../../src/hashing/url-hash.ts'
import { areBitsSet, fillPositions } from '../../src/seen/double-hashing.ts'

const word = fc.integer({ min: 0, max: 0xffff_ffff })

describe('enhanced double hashing', () => {
  it('returns x + i*y + (i^3 - i)/6 modulo the bits, for every size and hash', () => {
    const size = fc.integer({ min: 64, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(word, word, size, (first, second, bits) => {
        const positions = new Uint32Array(20)
        fillPositions(positions, first, second, bits)
        expect([...positions]).toEqual(defined(first, second, bits))
      }),
    )
  })

  it('reports a URL as known only if all of its positions are set', () => {
    const size = fc.integer({ min: 64, max: 2 ** 16 - 1 })
    fc.assert(
      fc.property(word, word, size, fc.nat(19), (first, second, bits, missing) => {
        const words = new Int32Array(2 ** 11)
        const positions = new Uint32Array(20)
        fillPositions(positions, first, second, bits)
        for (const at of positions) words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << at)
        expect(areBitsSet(words, first, second, bits, 20)).toBe(true)
        const at = positions[missing] ?? 0
        words[at >>> 5] = (words[at >>> 5] ?? 0) & ~(1 << at)
        expect(areBitsSet(words, first, second, bits, 20)).toBe(false)
      }),
    )
  })

  it('returns positions that differ even for a step of 0, except for the first two', () => {
    const positions = new Uint32Array(10)
    fillPositions(positions, 5, 0, 4097)
    // The first two coincide, since the step has not grown yet.
    expect([...positions]).toEqual([0, 0, 1, 4, 10, 20, 35, 56, 84, 120])
  })

  it('reaches every bit with every hash function', () => {
    const bits = 4097
    const reached = Array.from({ length: 4 }, () => new Set<number>())
    for (const positions of positionsOfUrls(80_000, 4, bits)) {
      for (const [index, set] of reached.entries()) set.add(positions[index] ?? -1)
    }
    for (const set of reached) expect(set.size).toBe(bits)
  })

  // 4.5 standard errors: the probability that all 45 pairs stay below is 0.9997.
  it.each([4097, 14_377_589, 2 ** 31 + 1, 2 ** 32 - 1])(
    'has hash functions whose two lowest bits are independent, over %d bits',
    (bits) => {
      const urls = 40_000
      const bound = 4.5 / Math.sqrt(urls)
      const all = [...positionsOfUrls(urls, 10, bits)]
      for (let one = 0; one < 10; one++) {
        for (let other = 0; other < one; other++) {
          for (const mask of [1, 2]) {
            expect(Math.abs(correlation(all, one, other, mask))).toBeLessThan(bound)
          }
        }
      }
    },
  )

  it('distributes positions evenly over the filter, by chi-square', () => {
    const bits = 1_437_759
    const counts = new Array<number>(256).fill(0)
    const urls = 20_000
    for (const positions of positionsOfUrls(urls, 10, bits)) {
      for (const position of positions) {
        const place = Math.floor((position / bits) * 256)
        counts[place] = (counts[place] ?? 0) + 1
      }
    }
    const wanted = (urls * 10) / 256
    const chi = counts.reduce((sum, count) => sum + (count - wanted) ** 2 / wanted, 0)
    // 255 degrees of freedom: mean 255, standard deviation 22.6.
    expect(chi).toBeLessThan(255 + 5 * 22.6)
  })
})

function defined(first: number, second: number, bits: number): number[] {
  const m = BigInt(bits)
  const x = (BigInt(first) * m) >> 32n
  const y = (BigInt(second) * m) >> 32n
  return Array.from({ length: 20 }, (_, index) => {
    const i = BigInt(index)
    return Number((x + i * y + (i ** 3n - i) / 6n) % m)
  })
}

function* positionsOfUrls(urls: number, hashes: number, bits: number): Generator<Uint32Array> {
  const hash = new UrlHash([7, 11])
  for (let index = 0; index < urls; index++) {
    hash.of(`https://a.example/page/${index}`)
    const positions = new Uint32Array(hashes)
    fillPositions(positions, hash.first, hash.second, bits)
    yield positions
  }
}

/** Returns the correlation, -1 to 1, of one bit of two hash functions. */
function correlation(
  all: readonly Uint32Array[],
  one: number,
  other: number,
  mask: number,
): number {
  let equal = 0
  for (const positions of all) {
    if ((((positions[one] ?? 0) ^ (positions[other] ?? 0)) & mask) === 0) equal++
  }
  return (2 * equal) / all.length - 1
}
