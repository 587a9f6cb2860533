import type { SkipReason } from '../../records/skip.ts'

/** A URL that links lead to. */
export interface LinkTarget {
  readonly url: string
  /** The reason not to follow the URL; undefined if it is followed. */
  readonly reason: SkipReason | undefined
  /** The number of the last list that the URL was added to, so that no list contains it twice. */
  lastList: number
}

/** Characters of URLs to cache, about 16,000 URLs of the usual length. A larger cache has hardly more hits. */
const MAX_CHARACTERS = 2 ** 21
/** Memory that a URL takes in addition to its characters. */
const OVERHEAD = 64

/** Caches the targets of links: on most sites, nine of ten links are on many pages. */
export class LinkTargets {
  readonly #targets = new Map<string, LinkTarget>()
  #characters = 0

  /** Returns the only target object of a URL. @param whyNot called for a new URL */
  targetOf(url: string, whyNot: (url: string) => SkipReason | undefined): LinkTarget {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const target = { url, reason: whyNot(url), lastList: 0 }
    this.#targets.set(url, target)
    this.#characters += url.length + OVERHEAD
    return target
  }

  /** Clears a full cache. Must be called between two lists of links, which compare target objects. */
  clearIfFull(): void {
    if (this.#characters > MAX_CHARACTERS) this.clear()
  }

  clear(): void {
    this.#targets.clear()
    this.#characters = 0
  }
}
