import type { HashKey, SeenOptions, SeenPlan } from '../seen-set.ts'
import { type BloomSize, bloomSize, planFixed } from './bloom-size.ts'
import { BloomSlice, bytesOfSlice, compoundRate } from './bloom-slice.ts'
import { allocateFilter, bytesBeside, type FilterMemory } from './filter-seen-set.ts'
import { type ClockMemory, GenerationClock } from './generation-clock.ts'
import type { UrlFilter } from './url-filter.ts'

/** With n of them a URL is forgotten after 1 to n / (n - 1) times the configured time. */
const generations = 3
const aDay = 86_400_000

export interface AgingMemory extends FilterMemory {
  readonly name: 'bloom-aging'
  readonly size: BloomSize
  /** Milliseconds for which a generation is the current one. */
  readonly period: number
  readonly clock: ClockMemory
  readonly filters: readonly SharedArrayBuffer[]
  readonly counters: readonly SharedArrayBuffer[]
}

/** Returns the cost when all URLs come in one period. */
export function planAging(options: SeenOptions, urls: number): SeenPlan {
  const beside = bytesBeside(options, urls)
  return planFixed(
    urls,
    options.falsePositiveRate / generations,
    (size) => generations * bytesOfSlice(size) + beside,
  )
}

export function allocateAging(
  options: SeenOptions,
  key: HashKey,
  now: () => number = Date.now,
): AgingMemory {
  // Each generation has its part of the configured rate, and room for all expected URLs.
  const size = bloomSize(options.expectedUrls, options.falsePositiveRate / generations)
  const buffers = (bytes: number) =>
    Array.from({ length: generations }, () => new SharedArrayBuffer(bytes))
  return {
    name: 'bloom-aging',
    size,
    period: (options.forgetAfter ?? aDay) / (generations - 1),
    clock: GenerationClock.allocate(now()),
    filters: buffers(bytesOfSlice(size)),
    counters: buffers(64),
    ...allocateFilter(options, key),
  }
}

/**
 * Generations of Bloom filters. A URL goes into the current one whenever it comes up. At the end of
 * a period, the oldest one is cleared and becomes the current one: URLs that did not come up in any
 * period since are forgotten.
 */
export class AgingBloomFilter implements UrlFilter {
  readonly #clock: GenerationClock
  readonly #slices: readonly BloomSlice[]
  readonly bytes: number

  constructor(memory: AgingMemory, owner: number, now: () => number = Date.now) {
    const { size, period, clock, filters, counters } = memory
    this.#clock = new GenerationClock(clock, owner, period, now)
    this.#slices = filters.map(
      (filter, index) =>
        new BloomSlice(size, new Int32Array(filter), new Int32Array(counters[index] ?? filter)),
    )
    this.bytes = generations * (bytesOfSlice(size) + 64)
  }

  get rate(): number {
    return compoundRate(this.#slices)
  }

  get fill(): number {
    const bits = this.#slices.reduce((sum, slice) => sum + slice.bits, 0)
    return this.#slices.reduce((sum, slice) => sum + slice.bitsSet, 0) / bits
  }

  has(first: number, second: number): boolean {
    this.#turn()
    return this.#holds(first, second)
  }

  meet(first: number, second: number): boolean {
    this.#turn()
    if (this.#at(this.#clock.generation).has(first, second)) return true
    if (!this.#holds(first, second)) return false
    this.#note(first, second)
    return true
  }

  add(first: number, second: number): boolean {
    this.#turn()
    return !this.#holds(first, second) && this.#note(first, second)
  }

  /** Does nothing: each call checks the time. */
  refresh(): void {}

  release(owner: number): void {
    this.#clock.release(owner)
  }

  #holds(first: number, second: number): boolean {
    const newest = this.#clock.generation
    for (let age = 0; age < generations; age++) {
      if (this.#at(newest - age).has(first, second)) return true
    }
    return false
  }

  /**
   * Adds a URL. If the generation changes meanwhile, adds it to the next one too, so that it
   * doesn't age early.
   */
  #note(first: number, second: number): boolean {
    for (let isNew = false; ; ) {
      const { generation } = this.#clock
      isNew = this.#at(generation).add(first, second) || isNew
      this.#turn()
      if (this.#clock.generation === generation) return isNew
    }
  }

  #turn(): void {
    this.#clock.turn(generations, (generation) => this.#at(generation).clear())
  }

  #at(generation: number): BloomSlice {
    const slice = this.#slices[(generation + generations) % generations]
    if (slice === undefined) throw new RangeError(`no generation ${generation}`)
    return slice
  }
}
