import { MAX_LEVELS } from '../shared-levels.ts'
import { type BloomSize, bloomSize, maxUrlsAt } from './bloom-size.ts'

/** Fraction of the total rate that the first slice gets. */
const FIRST_SHARE = 0.2
/** Rate of each further slice, relative to the one before. */
const RATE_FACTOR = 0.8
/** Capacity of each further slice, relative to the one before. */
const GROWTH = 2
/**
 * Minimum capacity of the first slice: it costs little, and saves slices when the estimate is far
 * too low.
 */
const MIN_CAPACITY = 10_000

/** A slice of a scalable Bloom filter. */
export interface SlicePlan {
  /** URLs that it takes before the next one is opened. */
  readonly capacity: number
  readonly size: BloomSize
}

/**
 * Returns a slice of a scalable Bloom filter (Almeida et al. 2007): each is twice as large as the
 * one before, with 0.8 times its rate. The rates of any number of slices sum up to the total: p *
 * (0.2 + 0.16 + 0.128 + ...) = p. Slices stop growing at 2^32 bits.
 */
export function slicePlan(expectedUrls: number, rate: number, slice: number): SlicePlan {
  const own = rate * FIRST_SHARE * RATE_FACTOR ** slice
  const wanted = Math.max(MIN_CAPACITY, expectedUrls) * GROWTH ** slice
  const capacity = Math.min(wanted, maxUrlsAt(own))
  return { capacity, size: bloomSize(capacity, own) }
}

/**
 * Returns the slices that `urls` URLs need; the maximum number of slices if even these are too few.
 */
export function slicesFor(expectedUrls: number, rate: number, urls: number): SlicePlan[] {
  const slices: SlicePlan[] = []
  for (let left = urls; left >= 0 && slices.length < MAX_LEVELS; ) {
    const next = slicePlan(expectedUrls, rate, slices.length)
    slices.push(next)
    left -= next.capacity
  }
  return slices
}
