const MAX_CHARACTERS = 2 ** 21
/** Memory that a text takes in addition to its characters. */
const OVERHEAD = 64

/** Limits the text in a cache to about 16,000 URLs of the usual length. */
export class CacheBudget {
  #used = 0

  get isExceeded(): boolean {
    return this.#used > MAX_CHARACTERS
  }

  spend(text: string): void {
    this.#used += text.length + OVERHEAD
  }

  /** Must be called when the cache is cleared. */
  reset(): void {
    this.#used = 0
  }
}
