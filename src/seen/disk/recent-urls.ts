import { detachedCopy } from '../../encoding/detached-copy.ts'

/** URLs of a generation: 8 MB for two generations of 60 characters each. */
const GENERATION_URLS = 32_768
/** Longer URLs, in characters, are not worth their memory. */
const MAX_LENGTH = 512

/** The URLs that one thread met last, between 32,768 and twice as many. */
export class RecentUrls {
  #young = new Set<string>()
  #old = new Set<string>()

  has(url: string): boolean {
    return this.#young.has(url) || this.#old.has(url)
  }

  /** Adds a URL that is not included. */
  add(url: string): void {
    if (url.length > MAX_LENGTH) return
    if (this.#young.size >= GENERATION_URLS) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(detachedCopy(url))
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
