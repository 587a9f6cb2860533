/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const maxBytesPerUnit = 3

/**
 * Scratch space that holds one URL at a time as UTF-8 bytes, four to a word, the last word padded
 * with zeros. ASCII (every canonical URL) keeps one byte per character; a lone surrogate, which no
 * URL can hold, reads as U+FFFD.
 */
export class PackedUrl {
  words = new Int32Array(512)
  byteLength = 0
  #bytes = bytesOf(this.words)

  pack(url: string): void {
    // All but the last word, which stays free for the padding.
    if (url.length * maxBytesPerUnit > this.#bytes.length - 4) this.#grow(url.length)
    // Unlike TextEncoder.encodeInto, it makes no object to tell how far it came.
    const written = this.#bytes.write(url)
    this.byteLength = written
    const last = written >> 2
    this.words[last] = (this.words[last] ?? 0) & ((1 << ((written & 3) << 3)) - 1)
  }

  #grow(units: number): void {
    this.words = new Int32Array(((units * maxBytesPerUnit) >> 2) + 2)
    this.#bytes = bytesOf(this.words)
  }
}

function bytesOf({ buffer }: Int32Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer)
}
