import { type BloomSize, bloomSize } from './bloom-size.ts'
import { fillPositions } from './double-hashing.ts'
import { HalfSipHash } from './half-siphash.ts'
import { PackedUrl } from './packed-url.ts'
import type { HashKey, SeenOptions, SeenSet, SeenStats } from './seen-set.ts'
import { allocateStripeLocks, StripeLocks } from './stripe-locks.ts'
import { allocateTallies, Tallies } from './tallies.ts'

export interface BloomMemory {
  readonly name: 'bloom'
  readonly key: HashKey
  readonly size: BloomSize
  readonly filter: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
  readonly tallies: SharedArrayBuffer
}

export function allocateBloom(options: SeenOptions, key: HashKey): BloomMemory {
  const size = bloomSize(options.expectedUrls, options.falsePositiveRate)
  return {
    name: 'bloom',
    key,
    size,
    filter: new SharedArrayBuffer(Math.ceil(size.bits / 32) * Int32Array.BYTES_PER_ELEMENT),
    locks: allocateStripeLocks(),
    tallies: allocateTallies(),
  }
}

/** A Bloom filter (Bloom 1970), classic layout: a URL's bits lie anywhere in the filter. */
export class BloomSeenSet implements SeenSet {
  readonly #memory: BloomMemory
  readonly #bits: number
  readonly #words: Int32Array
  readonly #locks: StripeLocks
  readonly #tallies: Tallies
  readonly #hash: HalfSipHash
  readonly #positions: Uint32Array
  readonly #packed = new PackedUrl()

  constructor(memory: BloomMemory, owner: number) {
    this.#memory = memory
    this.#bits = memory.size.bits
    this.#words = new Int32Array(memory.filter)
    this.#locks = new StripeLocks(memory.locks, owner)
    this.#tallies = new Tallies(memory.tallies, owner)
    this.#hash = new HalfSipHash(memory.key)
    this.#positions = new Uint32Array(memory.size.hashes)
  }

  addIfNew(urls: readonly string[]): readonly boolean[] {
    const fresh: boolean[] = []
    for (const url of urls) fresh.push(this.#claim(url))
    return fresh
  }

  has(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => this.#isKnown(url))
  }

  release(owner: number): void {
    this.#locks.release(owner)
  }

  stats(): SeenStats {
    const { size, filter, locks, tallies } = this.#memory
    const fill = this.#tallies.bitsSet / size.bits
    return {
      added: this.#tallies.added,
      bytes: filter.byteLength + locks.byteLength + tallies.byteLength,
      fill,
      falsePositiveRate: fill ** size.hashes,
    }
  }

  #claim(url: string): boolean {
    return !this.#isKnown(url) && this.#claimLocked(this.#hash.first)
  }

  /** Leaves the URL's hash and positions behind. */
  #isKnown(url: string): boolean {
    const packed = this.#packed
    const hash = this.#hash
    packed.pack(url)
    hash.hash(packed.words, packed.byteLength)
    fillPositions(this.#positions, hash.first, hash.second, this.#bits)
    return this.#allSet()
  }

  /**
   * Plain reads on purpose. Bits are only ever set, so a stale word can miss a bit but never
   * invent one: the worst it does is to send a known URL the slow way, where the locked
   * read-modify-write decides. All bits are read without a branch, so cache misses overlap.
   */
  #allSet(): boolean {
    const words = this.#words
    const positions = this.#positions
    let all = 1
    for (let index = 0; index < positions.length; index++) {
      const position = positions[index] ?? 0
      all &= (words[position >>> 5] ?? 0) >>> position
    }
    return all === 1
  }

  /**
   * Two threads with one URL share its stripe: the first sets all its bits before the second
   * looks. Setting bits without the lock is not enough, since each could flip a different one.
   */
  #claimLocked(stripe: number): boolean {
    this.#locks.lock(stripe)
    const flipped = this.#setMissing()
    this.#locks.unlock(stripe)
    if (flipped > 0) this.#tallies.count(flipped)
    return flipped > 0
  }

  /** Gives the number of bits that nobody had set before. */
  #setMissing(): number {
    const words = this.#words
    const positions = this.#positions
    let flipped = 0
    for (let index = 0; index < positions.length; index++) {
      const position = positions[index] ?? 0
      const before = Atomics.or(words, position >>> 5, 1 << position)
      flipped += ~(before >>> position) & 1
    }
    return flipped
  }
}
