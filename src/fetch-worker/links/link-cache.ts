import type { Outlinks } from '../../html/reference-scanner/found-links.ts'
import { ABSENT } from '../../html/reference-scanner/start-tag.ts'
import type { SkipReason } from '../../records/skip.ts'
import type { LinkResolver } from '../../url/resolve.ts'
import { CacheBudget } from './cache-budget.ts'
import { HrefCache } from './href-cache.ts'

/** A URL that links lead to. */
export interface LinkTarget {
  readonly url: string
  /** The reason not to follow the URL; undefined if it is followed. */
  readonly reason: SkipReason | undefined
  /** The number of the last list that the URL was added to, so that no list contains it twice. */
  list: number
}

/** Absolute ASCII hrefs, which resolve alike on every page. */
const ABSOLUTE = /^https?:\/\/[!"$-~]*$/i

/**
 * Caches the targets of links: on most sites, nine of ten links are on many pages. The target of a plain href depends
 * only on the directory of its page. A full cache is cleared between two lists of links.
 */
export class LinkCache {
  readonly #hrefs = new HrefCache<LinkTarget>()
  /** Ids by directory and encoding; no id is used twice. */
  readonly #baseIds = new Map<string, number>()
  readonly #targets = new Map<string, LinkTarget>()
  #lastBaseId = 0
  /** Limits the text of URLs and directories. A larger cache has hardly more hits. */
  readonly #budget = new CacheBudget()

  /** Returns one id for all pages on which plain hrefs lead to the same URLs. */
  baseIdOf({ resolutionKey: base }: LinkResolver): number {
    const known = this.#baseIds.get(base)
    if (known !== undefined) return known
    this.#baseIds.set(base, ++this.#lastBaseId)
    this.#budget.spend(base)
    return this.#lastBaseId
  }

  /** Returns the only target object of a URL. @param whyNot called for a new URL */
  targetOf(url: string, whyNot: (url: string) => SkipReason | undefined): LinkTarget {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const target = { url, reason: whyNot(url), list: 0 }
    this.#targets.set(url, target)
    this.#budget.spend(url)
    return target
  }

  /** Returns the cached target of a link. */
  find(links: Outlinks, index: number, baseId: number): LinkTarget | undefined {
    return this.#hrefs.find(links.bytes, links.startOf(index), links.endOf(index), baseId)
  }

  /** Caches the target of the link of the last call of `find`. */
  keep(links: Outlinks, index: number, baseId: number, target: LinkTarget): void {
    const start = links.startOf(index)
    if (start !== ABSENT) this.#hrefs.keep(links.bytes, start, baseId, target)
  }

  /** Clears a full cache. Must be called after each list of links. */
  clearIfFull(): void {
    if (this.#budget.isExceeded) this.clear()
  }

  clear(): void {
    this.#hrefs.clear()
    this.#baseIds.clear()
    this.#targets.clear()
    this.#budget.reset()
  }
}

/** Returns whether an href that could not be joined is absolute, and resolves alike on every page. */
export function isAbsolute(href: string): boolean {
  return ABSOLUTE.test(href)
}
