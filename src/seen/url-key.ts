import { HalfSipHash } from './half-siphash.ts'
import { PackedUrl } from './packed-url.ts'
import type { HashKey } from './seen-set.ts'

/** A keyed hash of a URL that fits a JavaScript number: 53 bits. */
export class UrlKey {
  readonly #packed = new PackedUrl()
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
