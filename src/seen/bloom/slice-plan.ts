import { maxLevels } from '../levels.ts'
import { type BloomSize, bloomSize, maxUrlsOf } from './bloom-size.ts'

/** The first slice has this share of the wanted rate, and each one this much less than the last. */
const firstShare = 0.2
const tightening = 0.8
const growth = 2
/** So small a slice is no burden, and a guess that is far too low costs no further ones. */
const minCapacity = 10_000

/** A slice of a scalable Bloom filter. */
export interface SlicePlan {
  /** URLs that it takes before the next one is opened. */
  readonly capacity: number
  readonly size: BloomSize
}

/**
 * The slices of a scalable Bloom filter (Almeida et al. 2007): each twice as large as the one
 * before, with a rate 0.8 times as high. The rates sum up to the wanted one, however many there are:
 * p * (0.2 + 0.16 + 0.128 + ...) = p. Slices stop growing at 2^32 bits.
 */
export function slicePlan(expectedUrls: number, rate: number, slice: number): SlicePlan {
  const own = rate * firstShare * tightening ** slice
  const wanted = Math.max(minCapacity, expectedUrls) * growth ** slice
  const capacity = Math.min(wanted, maxUrlsOf(own))
  return { capacity, size: bloomSize(capacity, own) }
}

/** The slices that so many URLs take: all that there may be, when they take more. */
export function slicesFor(expectedUrls: number, rate: number, urls: number): SlicePlan[] {
  const slices: SlicePlan[] = []
  for (let left = urls; left >= 0 && slices.length < maxLevels; ) {
    const next = slicePlan(expectedUrls, rate, slices.length)
    slices.push(next)
    left -= next.capacity
  }
  return slices
}
