import type { HashKey } from '../hashing/half-siphash.ts'
import { mixBits } from '../hashing/mix-bits.ts'
import { UrlHash } from '../hashing/url-hash.ts'

const BITS = 64
/** Consecutive words that make a feature, so that texts with the same words in another order differ. */
const SHINGLE = 3
const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995

/**
 * SimHash (Charikar, STOC 2002): 64 bits, of which few differ between texts that differ in few places.
 * A feature is a run of three words, weighted by how often it occurs. The hash is keyed, so that no site can
 * craft a page that counts as the original of another site's page.
 */
export class SimHash {
  readonly #hash: UrlHash
  readonly #votes = new Int32Array(BITS)

  constructor(key: HashKey) {
    this.#hash = new UrlHash(key)
  }

  /** Returns 16 hexadecimal digits; undefined if there are no words. */
  of(words: readonly string[]): string | undefined {
    if (words.length === 0) return undefined
    this.#votes.fill(0)
    const firsts = new Int32Array(words.length)
    const seconds = new Int32Array(words.length)
    for (const [index, word] of words.entries()) {
      this.#hash.of(word)
      firsts[index] = this.#hash.first
      seconds[index] = this.#hash.second
    }
    const last = Math.max(0, words.length - SHINGLE)
    for (let start = 0; start <= last; start++) {
      this.#vote(0, mixed(firsts, start, FIRST_PRIME))
      this.#vote(BITS / 2, mixed(seconds, start, SECOND_PRIME))
    }
    return hexOf(this.#majority(0)) + hexOf(this.#majority(BITS / 2))
  }

  #vote(from: number, word: number): void {
    for (let bit = 0; bit < 32; bit++) {
      const at = from + bit
      this.#votes[at] = (this.#votes[at] ?? 0) + ((word >>> bit) & 1) * 2 - 1
    }
  }

  #majority(from: number): number {
    let word = 0
    for (let bit = 0; bit < 32; bit++) if ((this.#votes[from + bit] ?? 0) > 0) word |= 1 << bit
    return word
  }
}

/** Returns a hash of a shingle, which depends on the order of its words. */
function mixed(hashes: Int32Array, start: number, prime: number): number {
  let mix = 0
  for (const hash of hashes.subarray(start, start + SHINGLE)) mix = Math.imul(mix, prime) ^ hash
  return mixBits(mix)
}

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
