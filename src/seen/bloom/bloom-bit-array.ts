import { allocatePages } from '../../runtime/allocate-pages.ts'
import { areBitsSet, fillPositions, mapToRange } from '../double-hashing.ts'
import type { BloomSize } from './bloom-size.ts'

const COUNTER = { added: 0, bitsSet: 1 } as const
/** Number of URLs after which the memory is allocated at once. Their bits are in a tenth of a small filter's pages. */
const ALLOCATED_AT = 4

/** Returns the bytes of a slice's bits. */
export function bloomSliceBytes({ bits }: BloomSize): number {
  return Math.ceil(bits / 32) * Int32Array.BYTES_PER_ELEMENT
}

/**
 * A Bloom filter (Bloom 1970) in shared memory, with the classic layout: the bits of a URL may be
 * anywhere in it.
 */
export class BloomBitArray {
  readonly #size: BloomSize
  readonly #words: Int32Array
  readonly #counters: Int32Array
  readonly #positions: Uint32Array

  /** @param counters two words: URLs added, and bits set */
  constructor(size: BloomSize, words: Int32Array, counters: Int32Array) {
    this.#size = size
    this.#words = words
    this.#counters = counters
    this.#positions = new Uint32Array(size.hashes)
  }

  /** URLs added. */
  get added(): number {
    return Atomics.load(this.#counters, COUNTER.added) >>> 0
  }

  get bits(): number {
    return this.#size.bits
  }

  get bitsSet(): number {
    return Atomics.load(this.#counters, COUNTER.bitsSet) >>> 0
  }

  /** Probability that a URL which isn't here is taken for a known one. */
  get rate(): number {
    return (this.bitsSet / this.#size.bits) ** this.#size.hashes
  }

  /**
   * Returns whether all bits of a URL are set. Plain reads are enough: bits are only ever set, so a
   * stale word can miss a bit but never invent one. At worst, a known URL takes the slow path,
   * where the locked read-modify-write decides. Testing the first bit alone rejects most unknown
   * URLs.
   */
  has(first: number, second: number): boolean {
    const words = this.#words
    const { bits, hashes } = this.#size
    const start = mapToRange(first, bits)
    if ((((words[start >>> 5] ?? 0) >>> start) & 1) === 0) return false
    return areBitsSet(words, first, second, bits, hashes)
  }

  /** Sets the bits of a URL; false when all of them were set before. */
  add(first: number, second: number): boolean {
    const words = this.#words
    const { bits, hashes } = this.#size
    // Cache misses of these reads overlap. Those of the writes below don't.
    if (areBitsSet(words, first, second, bits, hashes)) return false
    const positions = this.#positions
    fillPositions(positions, first, second, bits)
    let flipped = 0
    for (let index = 0; index < positions.length; index++) {
      const position = positions[index] ?? 0
      const before = Atomics.or(words, position >>> 5, 1 << position)
      flipped += ~(before >>> position) & 1
    }
    if (flipped === 0) return false
    Atomics.add(this.#counters, COUNTER.bitsSet, flipped)
    if (Atomics.add(this.#counters, COUNTER.added, 1) === ALLOCATED_AT) allocatePages(words)
    return true
  }

  clear(): void {
    this.#words.fill(0)
    this.#counters.fill(0)
  }
}

/** Returns the probability that at least one of the slices errs. */
export function compoundRate(slices: readonly BloomBitArray[]): number {
  return 1 - slices.reduce((right, { rate }) => right * (1 - rate), 1)
}

/** Returns the share of the bits of all slices together that are set. */
export function compoundFill(slices: readonly BloomBitArray[]): number {
  const bits = slices.reduce((sum, slice) => sum + slice.bits, 0)
  return slices.reduce((sum, slice) => sum + slice.bitsSet, 0) / bits
}
