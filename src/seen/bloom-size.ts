import { CrawlerError } from '../errors.ts'

/** Bit positions are 32-bit words. */
const maxBits = 2 ** 32 - 1
/** Keeps tiny filters sane: more bits than hash functions, whatever the rate. */
const minBits = 4096

export interface BloomSize {
  readonly bits: number
  /** Hash functions per URL. */
  readonly hashes: number
}

/**
 * Bits and hash functions for n URLs at the false-positive rate p: k = log2(1/p) rounded, and m
 * solved from (1 - e^(-kn/m))^k = p for that k, so that rounding k costs bits and not accuracy.
 * @throws CrawlerError `usage` when the filter would need more than 2^32 bits
 */
export function bloomSize(expectedUrls: number, falsePositiveRate: number): BloomSize {
  const hashes = Math.max(1, Math.round(-Math.log2(falsePositiveRate)))
  const bitsPerUrl = -hashes / Math.log1p(-(falsePositiveRate ** (1 / hashes)))
  if (!(expectedUrls * bitsPerUrl <= maxBits)) {
    throw new CrawlerError('usage', refusal(expectedUrls, falsePositiveRate, bitsPerUrl))
  }
  const bits = Math.max(minBits, Math.ceil(expectedUrls * bitsPerUrl))
  return { bits: oddAtLeast(bits), hashes }
}

/**
 * With an even number of bits the lowest bit of a step lives on in every position: positions of
 * one URL would be odd and even by rule instead of by chance.
 */
function oddAtLeast(bits: number): number {
  return bits % 2 === 1 ? bits : bits + 1
}

function refusal(urls: number, rate: number, bitsPerUrl: number): string {
  const largest = Math.floor(maxBits / bitsPerUrl).toLocaleString('en')
  return (
    `A Bloom filter for ${urls.toLocaleString('en')} URLs at a false-positive rate of ${rate} needs ` +
    `more than 2^32 bits: at this rate --expected-urls can be at most ${largest}.`
  )
}
