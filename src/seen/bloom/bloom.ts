import type { HashKey, SeenOptions, SeenPlan } from '../seen-set.ts'
import { type BloomSize, bloomSize, planFixed } from './bloom-size.ts'
import { BloomSlice, bytesOfSlice } from './bloom-slice.ts'
import { allocateFilter, bytesBeside, type FilterMemory } from './filter-seen-set.ts'
import type { UrlFilter } from './url-filter.ts'

/** The filter alone. */
export interface BloomBits {
  readonly size: BloomSize
  readonly filter: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
}

export interface BloomMemory extends FilterMemory, BloomBits {
  readonly name: 'bloom'
}

export function allocateBloom(options: SeenOptions, key: HashKey): BloomMemory {
  return { name: 'bloom', ...allocateBits(options), ...allocateFilter(options, key) }
}

export function allocateBits({ expectedUrls, falsePositiveRate }: SeenOptions): BloomBits {
  const size = bloomSize(expectedUrls, falsePositiveRate)
  const filter = new SharedArrayBuffer(bytesOfSlice(size))
  return { size, filter, counters: new SharedArrayBuffer(64) }
}

export function planBloom(options: SeenOptions, urls: number): SeenPlan {
  const beside = bytesBeside(options, urls)
  return planFixed(urls, options.falsePositiveRate, (size) => bytesOfSlice(size) + beside)
}

/** A Bloom filter of fixed size: its false-positive rate grows as it fills. */
export class BloomFilter implements UrlFilter {
  readonly #slice: BloomSlice
  readonly bytes: number

  constructor({ size, filter, counters }: BloomBits) {
    this.#slice = new BloomSlice(size, new Int32Array(filter), new Int32Array(counters))
    this.bytes = filter.byteLength + counters.byteLength
  }

  get rate(): number {
    return this.#slice.rate
  }

  get fill(): number {
    return this.#slice.bitsSet / this.#slice.bits
  }

  has(first: number, second: number): boolean {
    return this.#slice.has(first, second)
  }

  meet(first: number, second: number): boolean {
    return this.#slice.has(first, second)
  }

  add(first: number, second: number): boolean {
    return this.#slice.add(first, second)
  }

  refresh(): void {}

  release(): void {}
}
