import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import type { CanonicalRule } from '../../url/canonical-rules.ts'
import type { LinkResolver } from '../../url/resolve.ts'
import type { Target } from './link-cache.ts'

/** A URL that rules of `--canonicalize` changed. */
export interface Rewriting {
  readonly before: string
  readonly rules: readonly CanonicalRule[]
}

/** What became of the links of a page. */
export interface Admission {
  /** Inside the scope, each once. */
  readonly urls: readonly string[]
  readonly skips: readonly Skip[]
  readonly rewritings: readonly Rewriting[]
}

/**
 * Characters of the URLs that a page's links resolve to. A base URL of 8,000 characters would make
 * 800 MB of 100,000 links of one character.
 */
const MAX_CHARACTERS = 2 ** 24

/** The links of one list, while they are judged. */
export class LinkList implements Admission {
  readonly urls: string[] = []
  readonly skips: Skip[] = []
  readonly rewritings: Rewriting[] = []
  readonly resolver: LinkResolver
  /** Tells it from all other lists. */
  readonly #number: number
  readonly #from: CrawlUrl
  readonly #depth: number
  #room = MAX_CHARACTERS

  /** @param depth where its links would stand */
  constructor(number: number, resolver: LinkResolver, from: CrawlUrl, depth: number) {
    this.#number = number
    this.resolver = resolver
    this.#from = from
    this.#depth = depth
  }

  get isFull(): boolean {
    return this.#room <= 0
  }

  /** @param reason why the link is not to be followed, if it isn't */
  take(target: Target, reason: SkipReason | undefined): void {
    this.#room -= target.url.length
    if (reason !== undefined) this.skip(target.url, reason)
    else if (target.list !== this.#number) {
      target.list = this.#number
      this.urls.push(target.url)
    }
  }

  skip(url: string, reason: SkipReason): void {
    this.skips.push({ url, via: this.#from.url, depth: this.#depth, reason })
  }
}
