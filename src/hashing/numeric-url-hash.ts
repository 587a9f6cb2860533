import type { HashKey } from './half-siphash.ts'
import { UrlHash } from './url-hash.ts'

/** A keyed hash of a URL that fits a JavaScript number: 53 bits. */
export class NumericUrlHash {
  readonly #hash: UrlHash

  constructor(secret: HashKey) {
    this.#hash = new UrlHash(secret)
  }

  of(url: string): number {
    this.#hash.of(url)
    return (this.#hash.first >>> 0) * 2 ** 21 + (this.#hash.second >>> 11)
  }
}
