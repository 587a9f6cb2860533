const encoder = new TextEncoder()

/**
 * Scratch space that holds one URL at a time as UTF-8 bytes, four to a word, the last word padded
 * with zeros. ASCII (every canonical URL) keeps one byte per character; a lone surrogate, which no
 * URL can hold, reads as U+FFFD.
 */
export class PackedUrl {
  words = new Int32Array(512)
  byteLength = 0
  #bytes = roomForBytes(this.words)

  pack(url: string): void {
    let { read, written } = encoder.encodeInto(url, this.#bytes)
    if (read < url.length) {
      this.#grow(url.length * 3)
      written = encoder.encodeInto(url, this.#bytes).written
    }
    this.byteLength = written
    const last = written >> 2
    this.words[last] = (this.words[last] ?? 0) & ((1 << ((written & 3) << 3)) - 1)
  }

  #grow(bytes: number): void {
    this.words = new Int32Array((bytes >> 2) + 2)
    this.#bytes = roomForBytes(this.words)
  }
}

/** All but the last word, which stays free for the padding. */
function roomForBytes(words: Int32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(words.buffer, 0, words.byteLength - 4)
}
