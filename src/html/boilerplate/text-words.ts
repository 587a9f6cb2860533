export const WORD_PRIME = 0x01000193
/** Stands for all digits. */
export const FOLDED_DIGIT = 1
/** Bytes from this one on aren't ASCII. */
export const HIGH = 0x80
/** Maps letters to lower case, non-ASCII bytes to themselves, all digits to one value, and all other bytes to 0. */
export const FOLDED: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const lower = byte | 0x20
  if (byte >= HIGH) return byte
  if (lower >= 0x61 && lower <= 0x7a) return lower
  return byte >= 0x30 && byte <= 0x39 ? FOLDED_DIGIT : 0
})
/** Maximum number of words of a text that count. */
export const MAX_WORDS = 64

/**
 * The hashes (FNV-1a) of the words of a text, regardless of case. Words with a digit are left out: pages with the same
 * content may differ in numbers, dates and ids.
 */
export class TextWords {
  readonly hashes = new Int32Array(MAX_WORDS)
  count = 0
  readonly #key: number

  constructor(key: number) {
    this.#key = key
  }

  /** Reads a text in an encoding that extends ASCII. All bytes from 0x80 up count as letters. */
  read(bytes: Uint8Array, start: number, end: number): void {
    this.count = 0
    let word = this.#key
    let length = 0
    let isHigh = false
    let hasDigit = false
    for (let at = start; at <= end; at++) {
      const byte = at < end ? (FOLDED[bytes[at] ?? 0] ?? 0) : 0
      // Scripts such as Chinese have no spaces between words, so a change to or from ASCII also ends a word.
      if (byte === 0 || byte >= HIGH !== isHigh) {
        if (length > 0 && !hasDigit) this.#add(word)
        word = this.#key
        length = 0
        hasDigit = false
        isHigh = byte >= HIGH
        if (byte === 0) continue
      }
      if (byte === FOLDED_DIGIT) hasDigit = true
      word = Math.imul(word ^ byte, WORD_PRIME)
      length++
    }
  }

  #add(word: number): void {
    if (this.count < MAX_WORDS) this.hashes[this.count++] = word
  }
}
