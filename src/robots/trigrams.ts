const LENGTH = 3
const BITS = 2 ** 15
const WORDS = BITS / 32
const STAR = 0x2a

/** Two trigrams as one number. */
export type TrigramPair = number

/** A pair that counts as contained in every path. */
const NO_TRIGRAMS: TrigramPair = 0

/**
 * Returns the first and the last trigram of a pattern's literals. Few paths that don't match contain
 * both.
 */
export function trigramsOf(pattern: string): TrigramPair {
  let first = 0
  while (first + LENGTH <= pattern.length && hasStar(pattern, first)) first++
  let last = pattern.length - LENGTH
  if (last < first) return NO_TRIGRAMS
  while (hasStar(pattern, last)) last--
  return trigramAt(pattern, first) * BITS + trigramAt(pattern, last)
}

function hasStar(text: string, at: number): boolean {
  for (let i = at; i < at + LENGTH; i++) if (text.charCodeAt(i) === STAR) return true
  return false
}

/** Hashes a trigram; never 0. */
function trigramAt(text: string, at: number): number {
  const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
  return ((a * 31 + b) * 31 + c) & (BITS - 1) || 1
}

/** The set of the trigrams of a path. Hashes may collide, so only absence is certain. */
export class Trigrams {
  readonly #bits = new Uint32Array(WORDS)

  constructor(path: string) {
    this.#bits[0] = 1
    for (let at = 0; at + LENGTH <= path.length; at++) {
      const trigram = trigramAt(path, at)
      this.#bits[trigram >>> 5] = (this.#bits[trigram >>> 5] ?? 0) | (1 << (trigram & 31))
    }
  }

  hasBoth(pair: TrigramPair): boolean {
    return this.#has(Math.floor(pair / BITS)) && this.#has(pair % BITS)
  }

  #has(trigram: number): boolean {
    return ((this.#bits[trigram >>> 5] ?? 0) & (1 << (trigram & 31))) !== 0
  }
}
