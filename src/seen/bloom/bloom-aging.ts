import type { HashKey } from '../../hashing/half-siphash.ts'
import type { SeenOptions, SeenPlan } from '../seen-set.ts'
import { BloomBitArray, bloomSliceBytes, compoundFill, compoundRate } from './bloom-bit-array.ts'
import { type BloomSize, bloomSize, planFixedSize } from './bloom-size.ts'
import { allocateFilter, type FilterMemory, sharedFilterBytes } from './filter-seen-set.ts'
import { type ClockMemory, GenerationClock } from './generation-clock.ts'
import type { UrlFilter } from './url-filter.ts'

/**
 * Number of generations. With n of them, a URL is forgotten after 1 to n / (n - 1) times the
 * configured time.
 */
const GENERATIONS = 3
const DAY_MS = 86_400_000

export interface AgingMemory extends FilterMemory {
  readonly name: 'bloom-aging'
  readonly size: BloomSize
  /** Milliseconds for which a generation is the current one. */
  readonly period: number
  readonly clock: ClockMemory
  readonly filters: readonly SharedArrayBuffer[]
  readonly counters: readonly SharedArrayBuffer[]
}

/** Returns the cost if all URLs are added within one period. */
export function planAging(options: SeenOptions, urls: number): SeenPlan {
  const sharedBytes = sharedFilterBytes(options, urls)
  return planFixedSize(
    urls,
    options.falsePositiveRate / GENERATIONS,
    (size) => GENERATIONS * bloomSliceBytes(size) + sharedBytes,
  )
}

export function allocateAging(
  options: SeenOptions,
  key: HashKey,
  now: () => number = Date.now,
): AgingMemory {
  // Each generation has its part of the configured rate, and room for all expected URLs.
  const size = bloomSize(options.expectedUrls, options.falsePositiveRate / GENERATIONS)
  const buffers = (bytes: number) =>
    Array.from({ length: GENERATIONS }, () => new SharedArrayBuffer(bytes))
  return {
    name: 'bloom-aging',
    size,
    period: (options.forgetAfter ?? DAY_MS) / (GENERATIONS - 1),
    clock: GenerationClock.allocate(now()),
    filters: buffers(bloomSliceBytes(size)),
    counters: buffers(64),
    ...allocateFilter(options, key),
  }
}

/**
 * Generations of Bloom filters. A URL is added to the current one whenever it is found. At the end
 * of a period, the oldest one is cleared and becomes the current one. So URLs that were not found
 * in any period since are forgotten.
 */
export class AgingBloomFilter implements UrlFilter {
  readonly #clock: GenerationClock
  readonly #slices: readonly BloomBitArray[]
  readonly bytes: number

  constructor(memory: AgingMemory, owner: number, now: () => number = Date.now) {
    const { size, period, clock, filters, counters } = memory
    this.#clock = new GenerationClock(clock, owner, period, now)
    this.#slices = filters.map(
      (filter, index) =>
        new BloomBitArray(size, new Int32Array(filter), new Int32Array(counters[index] ?? filter)),
    )
    this.bytes = GENERATIONS * (bloomSliceBytes(size) + 64)
  }

  get falsePositiveRate(): number {
    return compoundRate(this.#slices)
  }

  get fill(): number {
    return compoundFill(this.#slices)
  }

  has(first: number, second: number): boolean {
    this.#turnGenerations()
    return this.#hasInAny(first, second)
  }

  touch(first: number, second: number): boolean {
    this.#turnGenerations()
    if (this.#sliceOf(this.#clock.generation).has(first, second)) return true
    if (!this.#hasInAny(first, second)) return false
    this.#addToCurrent(first, second)
    return true
  }

  add(first: number, second: number): boolean {
    this.#turnGenerations()
    return !this.#hasInAny(first, second) && this.#addToCurrent(first, second)
  }

  release(owner: number): void {
    this.#clock.release(owner)
  }

  #hasInAny(first: number, second: number): boolean {
    const newest = this.#clock.generation
    for (let age = 0; age < GENERATIONS; age++) {
      if (this.#sliceOf(newest - age).has(first, second)) return true
    }
    return false
  }

  /**
   * Adds a URL. If the generation changes meanwhile, adds it to the next one too, so that it
   * doesn't age early.
   */
  #addToCurrent(first: number, second: number): boolean {
    for (let isNew = false; ; ) {
      const { generation } = this.#clock
      isNew = this.#sliceOf(generation).add(first, second) || isNew
      this.#turnGenerations()
      if (this.#clock.generation === generation) return isNew
    }
  }

  #turnGenerations(): void {
    this.#clock.turn(GENERATIONS, (generation) => this.#sliceOf(generation).clear())
  }

  #sliceOf(generation: number): BloomBitArray {
    const slice = this.#slices[(generation + GENERATIONS) % GENERATIONS]
    if (slice === undefined) throw new RangeError(`no generation ${generation}`)
    return slice
  }
}
