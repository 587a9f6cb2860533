import { detachedCopy } from '../../encoding/detached-copy.ts'

/** Maximum number of URLs in a generation. Two generations of URLs with 60 characters take 8 MB. */
const GENERATION_URLS = 32_768
/** Maximum characters of a URL. Longer ones are not worth their memory. */
const MAX_LENGTH = 512

/** The last URLs that one thread found: between 32,768 and twice as many. */
export class RecentUrls {
  #young = new Set<string>()
  #old = new Set<string>()

  has(url: string): boolean {
    return this.#young.has(url) || this.#old.has(url)
  }

  /** Adds a missing URL. */
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
