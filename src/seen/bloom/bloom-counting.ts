import type { HashKey } from '../../hashing/half-siphash.ts'
import { fillPositions } from '../double-hashing.ts'
import type { ForgettingSeenSet, SeenOptions, SeenPlan } from '../seen-set.ts'
import { type BloomSize, bloomSize, planFixedSize } from './bloom-size.ts'
import {
  allocateFilter,
  type FilterMemory,
  FilterSeenSet,
  sharedFilterBytes,
} from './filter-seen-set.ts'
import { SmallCounters, smallCounterBytes } from './small-counters.ts'
import type { UrlFilter } from './url-filter.ts'

const SLOT = { nonZero: 0 } as const

export interface CountingMemory extends FilterMemory {
  readonly name: 'bloom-counting'
  readonly size: BloomSize
  readonly filter: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
}

export function allocateCounting(options: SeenOptions, key: HashKey): CountingMemory {
  const size = bloomSize(options.expectedUrls, options.falsePositiveRate)
  return {
    name: 'bloom-counting',
    size,
    filter: new SharedArrayBuffer(smallCounterBytes(size.bits)),
    counters: new SharedArrayBuffer(64),
    ...allocateFilter(options, key),
  }
}

export function planCounting(options: SeenOptions, urls: number): SeenPlan {
  const sharedBytes = sharedFilterBytes(options, urls)
  return planFixedSize(
    urls,
    options.falsePositiveRate,
    ({ bits }) => smallCounterBytes(bits) + sharedBytes,
  )
}

/** A counting Bloom filter (Fan et al. 2000): 4-bit counters instead of bits. */
export class CountingBloomFilter implements UrlFilter {
  readonly #size: BloomSize
  readonly #cells: SmallCounters
  readonly #counters: Int32Array
  readonly #positions: Uint32Array
  readonly bytes: number

  constructor({ size, filter, counters }: CountingMemory) {
    this.#size = size
    this.#cells = new SmallCounters(new Int32Array(filter))
    this.#counters = new Int32Array(counters)
    this.#positions = new Uint32Array(size.hashes)
    this.bytes = filter.byteLength + counters.byteLength
  }

  get falsePositiveRate(): number {
    return this.fill ** this.#size.hashes
  }

  get fill(): number {
    return (Atomics.load(this.#counters, SLOT.nonZero) >>> 0) / this.#size.bits
  }

  has(first: number, second: number): boolean {
    const positions = this.#positions
    fillPositions(positions, first, second, this.#size.bits)
    for (let index = 0; index < positions.length; index++) {
      if (!this.#cells.isSet(positions[index] ?? 0)) return false
    }
    return true
  }

  touch(first: number, second: number): boolean {
    return this.has(first, second)
  }

  add(first: number, second: number): boolean {
    if (this.has(first, second)) return false
    let begun = 0
    for (const place of this.#positions) if (this.#cells.raise(place)) begun++
    Atomics.add(this.#counters, SLOT.nonZero, begun)
    return true
  }

  /** Removes a URL. The caller holds the lock of its hash. Returns false if it isn't there. */
  remove(first: number, second: number): boolean {
    if (!this.has(first, second)) return false
    let ended = 0
    for (const place of this.#positions) if (this.#cells.lower(place)) ended++
    Atomics.sub(this.#counters, SLOT.nonZero, ended)
    return true
  }
}

/**
 * A seen set that can forget URLs. Forgetting a URL that was never added, but taken for a known
 * one, would decrement counters of other URLs. Those could then be taken for new ones again.
 */
export class CountingSeenSet
  extends FilterSeenSet<CountingBloomFilter>
  implements ForgettingSeenSet
{
  forget(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => {
      this.hash.of(url)
      const { first, second } = this.hash
      return this.locks.withLock(first, () => this.filter.remove(first, second))
    })
  }
}
