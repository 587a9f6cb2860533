const PRIME = 0x01000193
const DIGIT = 1
const HIGH = 0x80
/** Letters in lower case, bytes of other alphabets as they are, one value for all digits, else 0. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const lower = byte | 0x20
  if (byte >= HIGH) return byte
  if (lower >= 0x61 && lower <= 0x7a) return lower
  return byte >= 0x30 && byte <= 0x39 ? DIGIT : 0
})
const MAX_WORDS = 64

/**
 * The words of a text as hashes (FNV-1a), in any case. Words with a digit are left out: pages with the same
 * content differ in numbers, dates and ids.
 */
export class TextWords {
  readonly hashes = new Int32Array(MAX_WORDS)
  count = 0
  readonly #key: number

  constructor(key: number) {
    this.#key = key
  }

  /** Reads bytes of ASCII, or of an encoding where all other bytes are letters. */
  read(bytes: Uint8Array, start: number, end: number): void {
    this.count = 0
    let word = this.#key
    let length = 0
    let isHigh = false
    let hasDigit = false
    for (let at = start; at <= end; at++) {
      const byte = at < end ? (FOLDED[bytes[at] ?? 0] ?? 0) : 0
      // In scripts without spaces between words, ASCII ends a word, too.
      if (byte === 0 || byte >= HIGH !== isHigh) {
        if (length > 0 && !hasDigit) this.#add(word)
        word = this.#key
        length = 0
        hasDigit = false
        isHigh = byte >= HIGH
        if (byte === 0) continue
      }
      if (byte === DIGIT) hasDigit = true
      word = Math.imul(word ^ byte, PRIME)
      length++
    }
  }

  #add(word: number): void {
    if (this.count < MAX_WORDS) this.hashes[this.count++] = word
  }
}
