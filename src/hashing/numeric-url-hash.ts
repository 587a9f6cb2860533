import { HalfSipHash, type HashKey } from './half-siphash.ts'
import { UrlBytes } from './url-bytes.ts'

/** A keyed hash of a URL that fits a JavaScript number: 53 bits. */
export class NumericUrlHash {
  readonly #packed = new UrlBytes()
  readonly #hash: HalfSipHash

  constructor(secret: HashKey) {
    this.#hash = new HalfSipHash(secret)
  }

  of(url: string): number {
    this.#packed.pack(url)
    this.#hash.hash(this.#packed.words, this.#packed.byteLength)
    return (this.#hash.first >>> 0) * 2 ** 21 + (this.#hash.second >>> 11)
  }
}
