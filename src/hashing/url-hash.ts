import { HalfSipHash } from './half-siphash.ts'
import { UrlBytes } from './url-bytes.ts'

/** The 64-bit hash of URLs or other texts. */
export class UrlHash extends HalfSipHash {
  /** The bytes of the last URL. */
  readonly packed = new UrlBytes()
  #batch = new Int32Array(512)

  /** Sets `first` and `second` to the hash of a URL. */
  of(url: string): void {
    this.packed.pack(url)
    this.hash(this.packed.words, this.packed.byteLength)
  }

  /**
   * Returns the hashes of all URLs, two words each, valid until the next batch. Looking them up in
   * a row afterwards is faster than one by one: the processor waits for several memory reads at
   * once.
   */
  ofAll(urls: readonly string[]): Int32Array {
    if (this.#batch.length < 2 * urls.length) this.#batch = new Int32Array(2 * urls.length)
    const batch = this.#batch
    let place = 0
    for (const url of urls) {
      this.of(url)
      batch[place++] = this.first
      batch[place++] = this.second
    }
    return batch
  }
}
