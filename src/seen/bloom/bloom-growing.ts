import { formatCount } from '../../english-text.ts'
import type { HashKey } from '../../hashing/half-siphash.ts'
import type { SeenOptions, SeenPlan } from '../seen-set.ts'
import { allocateLevels, type LevelBytes, levelBytes, SharedLevels } from '../shared-levels.ts'
import { BloomBitArray, bloomSliceBytes, compoundFill, compoundRate } from './bloom-bit-array.ts'
import { expectedLoss } from './bloom-size.ts'
import { allocateFilter, type FilterMemory, sharedFilterBytes } from './filter-seen-set.ts'
import { type SlicePlan, slicePlan, slicesFor } from './slice-plan.ts'
import type { UrlFilter } from './url-filter.ts'

export interface GrowingMemory extends FilterMemory {
  readonly name: 'bloom-growing'
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  readonly slices: SharedArrayBuffer
}

export function allocateGrowing(options: SeenOptions, key: HashKey): GrowingMemory {
  const { expectedUrls, falsePositiveRate } = options
  const slices = allocateLevels(growingSliceBytes(expectedUrls, falsePositiveRate))
  const name = 'bloom-growing'
  return { name, expectedUrls, falsePositiveRate, slices, ...allocateFilter(options, key) }
}

export function planGrowing(options: SeenOptions, urls: number): SeenPlan {
  const { expectedUrls, falsePositiveRate } = options
  const slices = slicesFor(expectedUrls, falsePositiveRate, urls)
  const capacity = slices.reduce((sum, slice) => sum + slice.capacity, 0)
  const bytes = levelBytes(growingSliceBytes(expectedUrls, falsePositiveRate), slices.length)
  return {
    hashes: slices.at(-1)?.size.hashes ?? 0,
    bytes: bytes * Math.max(1, urls / capacity) + sharedFilterBytes(options, urls),
    // Computed on demand, since a crawl that starts doesn't need it.
    get expectedLost() {
      return lossOf(slices, urls)
    },
    ...(urls >= capacity && {
      refusal: `${slices.length} slices of at most 2^32 bits hold at most ${formatCount(capacity)} URLs.`,
    }),
  }
}

/**
 * Returns the expected losses. Each slice adds its own false positives to those of the full slices
 * before it.
 */
function lossOf(slices: readonly SlicePlan[], urls: number): number {
  let [lost, left, before] = [0, urls, 0]
  for (const { capacity, size } of slices) {
    const own = Math.min(left, capacity)
    lost += expectedLoss(size, own) + own * before
    before += (1 - Math.exp((-size.hashes * capacity) / size.bits)) ** size.hashes
    left -= own
  }
  return lost
}

/**
 * A scalable Bloom filter (Almeida et al. 2007). URLs are added to the newest slice; once it is
 * full the next one is opened, in one atomic step that all threads see.
 *
 * Each URL still has one winner: a thread that adds one holds its lock and searches all current
 * slices, including the one in which the last holder of that lock put it.
 */
export class GrowingBloomFilter implements UrlFilter {
  readonly #levels: SharedLevels
  readonly #plan: (slice: number) => SlicePlan
  readonly #slices: BloomBitArray[] = []
  #newest: BloomBitArray
  #capacity = 0
  #mayGrow = true

  constructor({ slices, expectedUrls, falsePositiveRate }: GrowingMemory) {
    this.#levels = new SharedLevels(slices, growingSliceBytes(expectedUrls, falsePositiveRate))
    this.#plan = (slice) => slicePlan(expectedUrls, falsePositiveRate, slice)
    this.#newest = this.#open(0)
    this.refresh()
  }

  get falsePositiveRate(): number {
    return compoundRate(this.#slices)
  }

  get fill(): number {
    return compoundFill(this.#slices)
  }

  get bytes(): number {
    return this.#levels.bytes
  }

  refresh(): void {
    const { count } = this.#levels
    while (this.#slices.length < count) this.#newest = this.#open(this.#slices.length)
  }

  /** Searches the newest slice first, since it contains half of a grown filter. */
  has(first: number, second: number): boolean {
    const slices = this.#slices
    for (let index = slices.length - 1; index >= 0; index--) {
      if (slices[index]?.has(first, second)) return true
    }
    return false
  }

  touch(first: number, second: number): boolean {
    return this.has(first, second)
  }

  add(first: number, second: number): boolean {
    this.refresh()
    const { length } = this.#slices
    if (length > 1 && this.has(first, second)) return false
    if (!this.#newest.add(first, second)) return false
    if (this.#mayGrow && this.#newest.added >= this.#capacity) {
      // Without memory for another slice the last one fills up, and the rate shows it.
      this.#mayGrow = this.#levels.growBeyond(length - 1)
    }
    return true
  }

  #open(slice: number): BloomBitArray {
    const { capacity, size } = this.#plan(slice)
    const opened = new BloomBitArray(size, this.#levels.words(slice), this.#levels.counters(slice))
    this.#slices.push(opened)
    this.#capacity = capacity
    return opened
  }
}

function growingSliceBytes(expectedUrls: number, falsePositiveRate: number): LevelBytes {
  return (slice) => bloomSliceBytes(slicePlan(expectedUrls, falsePositiveRate, slice).size)
}
