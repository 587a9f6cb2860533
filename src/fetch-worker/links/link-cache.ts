import type { Outlinks } from '../../html/scanner/outlinks.ts'
import { ABSENT } from '../../html/scanner/start-tag.ts'
import type { SkipReason } from '../../records/skip.ts'
import type { LinkResolver } from '../../url/resolve.ts'
import { HrefMemory } from './href-cache.ts'
import { TextAllowance } from './text-budget.ts'

/** A URL that links named. */
export interface Target {
  readonly url: string
  /** Why it does not belong to the crawl. */
  readonly reason: SkipReason | undefined
  /** The list of links that named it last, by its number: each names it once. */
  list: number
}

/** What leads to the same place from everywhere, if the encodings of the pages are the same. */
const ABSOLUTE = /^https?:\/\/[!"$-~]*$/i

/**
 * Remembers where the links of late pages led: on most sites nine of ten stand on many pages. What a
 * plain href names depends on nothing but the directory of its page. When it is too much all is
 * forgotten, once a list of links is through.
 */
export class LinkMemory {
  readonly #hrefs = new HrefMemory<Target>()
  /** Numbers for directories and encodings; none is given twice. */
  readonly #reaches = new Map<string, number>()
  readonly #targets = new Map<string, Target>()
  #lastReach = 0
  /** For URLs and the directories of pages: more of them would hardly be found more often. */
  readonly #allowance = new TextAllowance()

  /** A number for all pages whose plain hrefs lead to the same places. */
  reachOf({ resolutionKey: reach }: LinkResolver): number {
    const known = this.#reaches.get(reach)
    if (known !== undefined) return known
    this.#reaches.set(reach, ++this.#lastReach)
    this.#allowance.use(reach)
    return this.#lastReach
  }

  /** The one target of a URL; `whyNot` is asked about new ones. */
  targetOf(url: string, whyNot: (url: string) => SkipReason | undefined): Target {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const target = { url, reason: whyNot(url), list: 0 }
    this.#targets.set(url, target)
    this.#allowance.use(url)
    return target
  }

  /** Where a link leads, if that is remembered. */
  find(links: Outlinks, index: number, reach: number): Target | undefined {
    return this.#hrefs.find(links.bytes, links.startOf(index), links.endOf(index), reach)
  }

  /** Remembers where the link leads that was looked for last. */
  keep(links: Outlinks, index: number, reach: number, target: Target): void {
    const start = links.startOf(index)
    if (start !== ABSENT) this.#hrefs.keep(links.bytes, start, reach, target)
  }

  /** To be called when a list of links is through. */
  trim(): void {
    if (this.#allowance.isUsedUp) this.clear()
  }

  clear(): void {
    this.#hrefs.clear()
    this.#reaches.clear()
    this.#targets.clear()
    this.#allowance.reset()
  }
}

/** Whether an href leads to the same place from all pages of a directory though it could not be joined. */
export function isAbsolute(href: string): boolean {
  return ABSOLUTE.test(href)
}
