import { randomWords } from './random-words.ts'

/**
 * The secret 64-bit key of the hash, as two 32-bit words: without it nobody can craft collisions.
 */
export type HashKey = readonly [number, number]

/**
 * HalfSipHash-1-3 with 64 bits of output: SipHash (Aumasson & Bernstein 2012) on 32-bit words, as
 * in the authors' halfsiphash.c, with the rounds of Linux' hsiphash. Keyed, so that a hostile site
 * cannot choose URLs that fill the seen set. The result stays in two signed words, without an
 * allocation.
 */
export class HalfSipHash {
  first = 0
  second = 0
  readonly #key0: number
  readonly #key1: number

  constructor(key: HashKey) {
    this.#key0 = key[0] | 0
    this.#key1 = key[1] | 0
  }

  /** Hashes `byteLength` bytes of little-endian `words`, the last word padded with zeros. */
  hash(words: Int32Array, byteLength: number): void {
    // `| 0` shows the compiler that this is an integer. Without it, the first sum below uses doubles.
    let v0 = this.#key0 | 0
    let v1 = this.#key1 ^ 0xee
    let v2 = this.#key0 ^ 0x6c796765
    let v3 = this.#key1 ^ 0x74656462
    const whole = byteLength >> 2
    // One loop for the `whole` words, the length word and the six closing rounds: the round is
    // written once, and its state stays in registers.
    for (let round = 0; round < whole + 7; round++) {
      let word = 0
      if (round < whole) {
        word = words[round] ?? 0
      } else if (round === whole) {
        word = (words[round] ?? 0) | (byteLength << 24)
      } else if (round === whole + 1) {
        v2 ^= 0xee
      } else if (round === whole + 4) {
        this.first = v1 ^ v3
        v1 ^= 0xdd
      }
      v3 ^= word
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= word
    }
    this.second = v1 ^ v3
  }
}

/** The key of a reproducible crawl. A site that knows it can choose URLs that collide. */
export const FIXED_HASH_KEY: HashKey = [0x243f6a88, 0x85a308d3]

export function randomHashKey(): HashKey {
  const [first = 0, second = 0] = randomWords(2)
  return [first, second]
}
