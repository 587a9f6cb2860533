import { createHash } from 'node:crypto'
import { randomHashKey } from '../../src/hashing/half-siphash.ts'
import { UrlHash } from '../../src/hashing/url-hash.ts'
import { BloomBitArray, bloomSliceBytes } from '../../src/seen/bloom/bloom-bit-array.ts'

/** A filter for one thread: that of an article, or ours for comparison. */
export interface SourceFilter {
  readonly name: string
  readonly bits: number
  readonly hashes: number
  has(url: string): boolean
  add(url: string): void
}

type Position = (text: string) => number

/** Returns a hash function per seed: a polynomial in Java's int arithmetic. */
function polynomials(seeds: readonly number[], mask: number): Position[] {
  return seeds.map((seed) => (text) => {
    let sum = 0
    for (let index = 0; index < text.length; index++) {
      sum = (Math.imul(seed, sum) + text.charCodeAt(index)) | 0
    }
    return (sum & mask) >>> 0
  })
}

/** Returns a Bloom filter with k hash functions that is not safe for several threads. */
function bitSet(
  name: string,
  bits: number,
  positions: readonly Position[],
  textOf = (url: string) => url,
): SourceFilter {
  const words = new Int32Array(Math.ceil(bits / 32))
  return {
    ...{ name, bits, hashes: positions.length },
    has(url) {
      const text = textOf(url)
      return positions.every((position) => {
        const at = position(text)
        return (((words[at >>> 5] ?? 0) >>> at) & 1) === 1
      })
    },
    add(url) {
      const text = textOf(url)
      for (const position of positions) {
        const at = position(text)
        words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << at)
      }
    },
  }
}

/** Article A: seven odd seeds modulo 2^25. All positions of a URL share their lowest bit. */
function ofArticleA(): SourceFilter {
  const seeds = [5, 7, 11, 13, 31, 37, 61]
  return bitSet('A: 2^25 bits, 7 odd seeds', 2 ** 25, polynomials(seeds, 2 ** 25 - 1))
}

/**
 * Article B (ScrapyRedisBloomFilter) on SHA-1 in hexadecimal: `ret += seed * ret + c`, so seed s multiplies by s + 1,
 * and seed 0 is a plain sum of characters. The article has 2^30 bits; the sum has the same few values with fewer bits.
 */
function ofArticleB(log2: number): SourceFilter {
  const multipliers = [1, 2, 3, 4, 5, 6]
  const sha1 = (url: string) => createHash('sha1').update(url).digest('hex')
  const positions = polynomials(multipliers, 2 ** log2 - 1)
  return bitSet(`B: 2^${log2} bits, seeds 0 to 5`, 2 ** log2, positions, sha1)
}

/** Article D: eight seeds over 5e7 bits, masked with 49,999,999, which has 18 bits set. */
function ofArticleD(): SourceFilter {
  const seeds = [3, 5, 7, 11, 13, 31, 37, 61]
  return bitSet('D: 5e7 bits, 8 seeds, masked', 50_000_000, polynomials(seeds, 49_999_999))
}

/** Our filter, with a given number of bits and hashes. */
function ours(bits: number, hashes: number, name: string): SourceFilter {
  const size = { bits: bits - 1, hashes }
  const words = new Int32Array(new SharedArrayBuffer(bloomSliceBytes(size)))
  const slice = new BloomBitArray(size, words, new Int32Array(new SharedArrayBuffer(8)))
  const hash = new UrlHash(randomHashKey())
  return {
    ...{ name, bits, hashes },
    has(url) {
      hash.of(url)
      return slice.has(hash.first, hash.second)
    },
    add(url) {
      hash.of(url)
      slice.add(hash.first, hash.second)
    },
  }
}

/** The filter of each article, followed by ours of the same size. That of article B has a 64th of its size. */
export const PAIRS: readonly (() => SourceFilter)[] = [
  ofArticleA,
  () => ours(2 ** 25, 7, 'ours, 2^25 bits, k = 7'),
  () => ofArticleB(24),
  () => ours(2 ** 24, 6, 'ours, 2^24 bits, k = 6'),
  ofArticleD,
  () => ours(50_000_000, 8, 'ours, 5e7 bits, k = 8'),
]
