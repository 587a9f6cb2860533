import type { HashKey } from '../../hashing/half-siphash.ts'
import type { SeenOptions, SeenPlan } from '../seen-set.ts'
import { BloomBitArray, bloomSliceBytes } from './bloom-bit-array.ts'
import { type BloomSize, bloomSize, planFixedSize } from './bloom-size.ts'
import { allocateFilter, type FilterMemory, sharedFilterBytes } from './filter-seen-set.ts'
import type { UrlFilter } from './url-filter.ts'

/** The memory of the filter alone. */
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
  const filter = new SharedArrayBuffer(bloomSliceBytes(size))
  return { size, filter, counters: new SharedArrayBuffer(64) }
}

export function planBloom(options: SeenOptions, urls: number): SeenPlan {
  const sharedBytes = sharedFilterBytes(options, urls)
  return planFixedSize(
    urls,
    options.falsePositiveRate,
    (size) => bloomSliceBytes(size) + sharedBytes,
  )
}

/** A Bloom filter of fixed size: its false-positive rate grows as it fills. */
export class BloomFilter implements UrlFilter {
  readonly #slice: BloomBitArray
  readonly bytes: number

  constructor({ size, filter, counters }: BloomBits) {
    this.#slice = new BloomBitArray(size, new Int32Array(filter), new Int32Array(counters))
    this.bytes = filter.byteLength + counters.byteLength
  }

  get falsePositiveRate(): number {
    return this.#slice.rate
  }

  get fill(): number {
    return this.#slice.bitsSet / this.#slice.bits
  }

  has(first: number, second: number): boolean {
    return this.#slice.has(first, second)
  }

  touch(first: number, second: number): boolean {
    return this.#slice.has(first, second)
  }

  add(first: number, second: number): boolean {
    return this.#slice.add(first, second)
  }
}
