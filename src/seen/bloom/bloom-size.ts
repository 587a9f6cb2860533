import { formatCount } from '../../english-text.ts'
import { CrawlerError } from '../../errors.ts'
import type { SeenPlan } from '../seen-set.ts'

/** Maximum number of bits: their positions are 32-bit words. */
const MAX_BITS = 2 ** 32 - 1
/** Minimum number of bits. Even tiny filters need more bits than hash functions, at any rate. */
const MIN_BITS = 4096

export interface BloomSize {
  readonly bits: number
  /** Hash functions per URL. */
  readonly hashes: number
}

/**
 * Returns bits and hash functions for n URLs at the false-positive rate p: k = log2(1/p) rounded,
 * and m solved from (1 - e^(-kn/m))^k = p for that k, so that rounding k costs bits and not
 * accuracy.
 * @throws CrawlerError('usage') when the filter would need more than 2^32 bits
 */
export function bloomSize(expectedUrls: number, falsePositiveRate: number): BloomSize {
  const refused = refusal(expectedUrls, falsePositiveRate)
  if (refused !== undefined) throw new CrawlerError('usage', refused)
  return unboundedSize(expectedUrls, falsePositiveRate)
}

/** Like `bloomSize`, but also for impossible sizes. */
function unboundedSize(expectedUrls: number, falsePositiveRate: number): BloomSize {
  const { hashes, bitsPerUrl } = perUrl(falsePositiveRate)
  const bits = Math.max(MIN_BITS, Math.ceil(expectedUrls * bitsPerUrl))
  return { bits: oddAtLeast(bits), hashes }
}

/**
 * Returns the cost of a filter sized for that many URLs; `bytesOf` returns the bytes of its bits.
 */
export function planFixedSize(
  urls: number,
  rate: number,
  bytesOf: (size: BloomSize) => number,
): SeenPlan {
  const size = unboundedSize(urls, rate)
  const refused = refusal(urls, rate)
  return {
    hashes: size.hashes,
    bytes: bytesOf(size),
    // Computed on demand, since a crawl that starts doesn't need it.
    get expectedLost() {
      return expectedLoss(size, urls)
    },
    ...(refused !== undefined && { refusal: refused }),
  }
}

/** Returns the capacity of a filter of 2^32 bits at this rate. */
export function maxUrlsAt(falsePositiveRate: number): number {
  return Math.floor(MAX_BITS / perUrl(falsePositiveRate).bitsPerUrl)
}

/**
 * Returns how many new URLs a filter is expected to take for known ones while that many are added:
 * the rate (1 - e^(-kn/m))^k summed up over n.
 */
export function expectedLoss({ bits, hashes }: BloomSize, urls: number): number {
  const steps = 1000
  let sum = 0
  for (let step = 0; step < steps; step++) {
    const filled = -Math.expm1((-hashes * urls * (step + 0.5)) / steps / bits)
    sum += filled ** hashes
  }
  return (sum * urls) / steps
}

function perUrl(falsePositiveRate: number): { hashes: number; bitsPerUrl: number } {
  const hashes = Math.max(1, Math.round(-Math.log2(falsePositiveRate)))
  const bitsPerUrl = -hashes / Math.log1p(-(falsePositiveRate ** (1 / hashes)))
  return { hashes, bitsPerUrl }
}

/**
 * Makes a number of bits odd. With an even number, the lowest bit of a step would stay the same in
 * all positions of a URL: odd and even ones would alternate by rule instead of by chance.
 */
function oddAtLeast(bits: number): number {
  return bits % 2 === 1 ? bits : bits + 1
}

/**
 * Returns a sentence that names the limit if one filter can't contain that many URLs at this rate.
 */
function refusal(urls: number, rate: number): string | undefined {
  if (urls <= maxUrlsAt(rate)) return undefined
  const shown = Number(rate.toPrecision(3))
  return (
    `A Bloom filter for ${formatCount(urls)} URLs at a false-positive rate of ${shown} needs ` +
    `more than 2^32 bits: at this rate --expected-urls can be at most ${formatCount(maxUrlsAt(rate))}.`
  )
}
