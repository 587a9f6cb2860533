import { copy } from '../url/copy.ts'
import type { LinkResolver } from '../url/resolve.ts'
import type { SkipReason } from '../wire/skip.ts'

/** A URL that links named. */
export interface Target {
  readonly url: string
  /** Why it does not belong to the crawl. */
  readonly reason: SkipReason | undefined
  /** The list of links that named it last, by its number: each names it once. */
  list: number
}

/**
 * What is remembered of hrefs per worker, and of URLs: characters, and so many for each besides. Some
 * 16,000 of the usual length; more would hardly be found more often.
 */
const MOST = 2 ** 21
const BESIDES = 64

/** One in so many hrefs that were not remembered is: what stands on many pages comes again. */
const KEPT_EVERY = 4

/** What leads to the same place from everywhere, if the encodings of the pages are the same. */
const ABSOLUTE = /^https?:\/\/[!-~]*$/i

/**
 * Remembers where hrefs of late pages led: on most sites nine links of ten stand on many pages. What a
 * plain href names depends on nothing but the directory of its page. When it is too much all is
 * forgotten, once a list of links is through.
 */
export class LinkMemory {
  /** By directory and encoding, then by href without its fragment. */
  readonly #hrefs = new Map<string, Map<string, Target>>()
  readonly #targets = new Map<string, Target>()
  /** What the hrefs take, and the targets. */
  #kept = 0
  #held = 0
  #passed = 0

  /** What is known of hrefs on pages with this base. */
  hrefsAt({ reach }: LinkResolver): Map<string, Target> {
    const known = this.#hrefs.get(reach)
    if (known !== undefined) return known
    const hrefs = new Map<string, Target>()
    this.#hrefs.set(reach, hrefs)
    this.#kept += sizeOf(reach)
    return hrefs
  }

  /** The one target of a URL; `whyNot` is asked about new ones. */
  targetOf(url: string, whyNot: (url: string) => SkipReason | undefined): Target {
    const known = this.#targets.get(url)
    if (known !== undefined) return known
    const target = { url, reason: whyNot(url), list: 0 }
    this.#targets.set(url, target)
    this.#held += sizeOf(url)
    return target
  }

  /** @param isPlain whether joining it with its directory was all it took to resolve the href */
  keep(hrefs: Map<string, Target>, href: string, isPlain: boolean, target: Target): void {
    if (++this.#passed % KEPT_EVERY !== 0) return
    if (!isPlain && !(ABSOLUTE.test(href) && !href.includes('#'))) return
    hrefs.set(copy(withoutFragment(href)), target)
    this.#kept += sizeOf(href)
  }

  /** To be called when a list of links is through. */
  trim(): void {
    if (this.#held > MOST) this.clear()
    if (this.#kept > MOST) this.#forgetHrefs()
  }

  clear(): void {
    this.#forgetHrefs()
    this.#targets.clear()
    this.#held = 0
  }

  #forgetHrefs(): void {
    this.#hrefs.clear()
    this.#kept = 0
  }
}

/** What it takes to remember a string. */
function sizeOf(text: string): number {
  return text.length + BESIDES
}

export function withoutFragment(href: string): string {
  const hash = href.indexOf('#')
  return hash === -1 ? href : href.slice(0, hash)
}
