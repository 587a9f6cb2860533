/** Maximum bytes of UTF-8 per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

/**
 * A reusable buffer for one URL at a time, as UTF-8 bytes, four to a word. The last word is padded
 * with zeros. ASCII (every canonical URL) takes one byte per character. A lone surrogate, which no
 * URL can contain, becomes U+FFFD.
 */
export class UrlBytes {
  words = new Int32Array(512)
  byteLength = 0
  #bytes = bytesOf(this.words)

  pack(url: string): void {
    // The last word stays free for the padding.
    if (url.length * MAX_BYTES_PER_UNIT > this.#bytes.length - 4) this.#grow(url.length)
    // TextEncoder.encodeInto would create an object for its result.
    const written = this.#bytes.write(url)
    this.byteLength = written
    const last = written >> 2
    this.words[last] = (this.words[last] ?? 0) & ((1 << ((written & 3) << 3)) - 1)
  }

  #grow(units: number): void {
    this.words = new Int32Array(((units * MAX_BYTES_PER_UNIT) >> 2) + 2)
    this.#bytes = bytesOf(this.words)
  }
}

/** Returns the number of words for a number of bytes. */
export function wordsFor(bytes: number): number {
  return (bytes + 3) >> 2
}

function bytesOf({ buffer }: Int32Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer)
}
