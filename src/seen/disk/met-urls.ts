/** URLs of a generation: 4 MB for two of 100 bytes each. */
const GENERATION = 16_384
/** Longer ones are not worth their memory, in characters. */
const LONGEST = 512

/** The URLs that one thread met last, 16,384 at least and twice as many at most. */
export class MetUrls {
  #young = new Set<string>()
  #old = new Set<string>()

  has(url: string): boolean {
    if (this.#young.has(url)) return true
    if (!this.#old.has(url)) return false
    this.add(url)
    return true
  }

  add(url: string): void {
    if (url.length > LONGEST) return
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young
      this.#young = new Set()
    }
    // A copy: a slice of a page would keep all of it in memory.
    this.#young.add(Buffer.from(url).toString())
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
