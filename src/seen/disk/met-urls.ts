import { copy } from '../../url/copy.ts'

/** URLs of a generation: 8 MB for two of 60 characters each. */
const GENERATION = 32_768
/** Longer ones are not worth their memory, in characters. */
const LONGEST = 512

/** The URLs that one thread noted last, 32,768 at least and twice as many at most. */
export class MetUrls {
  #young = new Set<string>()
  #old = new Set<string>()

  has(url: string): boolean {
    return this.#young.has(url) || this.#old.has(url)
  }

  /** Notes a URL that is not in here. */
  add(url: string): void {
    if (url.length > LONGEST) return
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(copy(url))
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
