import type { ClaimKind, ClaimLog } from '../../messages/claim-log.ts'
import { Counters } from '../../messages/counters.ts'
import type { Findings, Visited } from '../../messages/outcome.ts'
import { packLinks } from '../../messages/pack-links.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Mutable } from '../../records/mutable.ts'
import type { Skip } from '../../records/skip.ts'
import { seenKeys } from '../../seen/seen-generation.ts'
import type { SeenSet } from '../../seen/seen-set.ts'
import { openSeenSet } from '../../seen/seen-set-lifecycle.ts'

/** Links of a page that were already checked for an earlier page; see `UncheckedLinks`. */
interface CheckedBefore {
  readonly nearer: readonly string[]
  readonly known: number
}

const NONE: CheckedBefore = { nearer: [], known: 0 }

/** All links of a page: for the frontier, and for an output. */
type PackedLinks = Pick<Visited, 'packedLinks' | 'outlinks'>

/** The links of a page after the seen check. */
interface CheckedLinks {
  readonly findings: Omit<Findings, 'sameDepth'> & PackedLinks
  /** The number of new links. */
  readonly added: number
  /** The links beyond the depth limit. */
  readonly skips: readonly Skip[]
}

/**
 * The new URLs and the known URLs of a list. They are separated by index rather than with a `Set` or a `Map`: V8 adds
 * each string that is looked up there to its table of all names, which costs more than the seen set does.
 */
interface NewAndKnown {
  readonly added: string[]
  readonly knownUrls: string[]
}

type SeenCheckSetup = Pick<
  WorkerSetup,
  | 'seen'
  | 'shorterPaths'
  | 'owner'
  | 'counters'
  | 'worker'
  | 'depth'
  | 'defersSeenCheck'
  | 'keepsOutlinks'
>

/** Adds links to the seen set in the worker, so that only new ones go to the coordinator. */
export class SeenCheck {
  readonly #seen: SeenSet
  /** Pairs of a depth and a known URL to which a later page may be a shorter path. Each pair is reported once. */
  readonly #shorterPaths: SeenSet
  readonly #counters: Counters
  readonly #worker: number
  readonly #depthLimit: number
  readonly #isDeferred: boolean
  readonly #keepsOutlinks: boolean
  readonly #log: ClaimLog

  constructor(setup: SeenCheckSetup, log: ClaimLog) {
    this.#log = log
    this.#seen = openSeenSet(setup.seen, setup.owner)
    this.#shorterPaths = openSeenSet(setup.shorterPaths, setup.owner)
    this.#counters = new Counters(setup.counters)
    this.#worker = setup.worker
    this.#depthLimit = setup.depth
    this.#isDeferred = setup.defersSeenCheck
    this.#keepsOutlinks = setup.keepsOutlinks
  }

  /**
   * Adds the links of a page, which are inside the scope, to the seen set. Returns the new ones.
   * @param kept all links, for a page whose links the frontier keeps
   */
  addLinks(
    urls: readonly string[],
    from: CrawlUrl,
    { nearer, known }: CheckedBefore = NONE,
    kept: readonly string[] = urls,
  ): CheckedLinks {
    const links = this.#packed(kept, from)
    if (this.#isDeferred) {
      return { findings: { discovered: urls, nearer: [], ...links }, added: 0, skips: [] }
    }
    if (known > 0) this.#counters.add(this.#worker, 'duplicate', known)
    if (from.depth >= this.#depthLimit) {
      const skips = this.#tooDeep(urls, from)
      return { findings: { discovered: [], nearer: [], ...links }, added: 0, skips }
    }
    const { added, knownUrls } = this.#addIfNew(urls, from, 'link')
    knownUrls.push(...nearer)
    return {
      findings: { discovered: added, nearer: this.#nearer(knownUrls, from, 'link'), ...links },
      added: added.length,
      skips: [],
    }
  }

  /** Returns all links for the frontier or an output, if one needs them. */
  #packed(urls: readonly string[], { keepLinks }: CrawlUrl): PackedLinks {
    if (!keepLinks && !this.#keepsOutlinks) return {}
    const packed = packLinks(urls)
    const links: Mutable<PackedLinks> = {}
    if (keepLinks) links.packedLinks = packed
    if (this.#keepsOutlinks) links.outlinks = packed
    return links
  }

  /** Adds URLs at the same depth as the page. Returns the number of new ones. */
  addSameDepth(urls: readonly string[], from: CrawlUrl, kind: ClaimKind): number {
    return this.#isDeferred ? 0 : this.#addIfNew(urls, from, kind).added.length
  }

  /** Adds URLs out of the scope. Returns the new ones, or all of them when the page is tried again. */
  addExternal(urls: readonly string[], from: CrawlUrl): readonly string[] {
    if (urls.length === 0 || this.#isDeferred) return urls
    const { added, knownUrls } = this.#addIfNew(urls, from, 'external')
    if (from.attempt > 1) return urls
    return [...added, ...this.#nearer(knownUrls, from, 'external')]
  }

  /** Adds URLs. Returns the new ones and the known ones, each in their order. */
  #addIfNew(urls: readonly string[], { id }: CrawlUrl, kind: ClaimKind): NewAndKnown {
    const added: string[] = []
    const knownUrls: string[] = []
    if (urls.length === 0) return { added, knownUrls }
    const isNew = this.#seen.addIfNew(this.#keysOf(urls), (place) =>
      this.#log.add(id, kind, urls[place] ?? ''),
    )
    for (const [place, url] of urls.entries()) (isNew[place] ? added : knownUrls).push(url)
    this.#counters.add(this.#worker, 'setSize', added.length)
    this.#counters.add(this.#worker, 'duplicate', knownUrls.length)
    return { added, knownUrls }
  }

  /**
   * Returns the known URLs to which this page may be a shorter path. A longer path exists only if a deeper page was
   * dispatched. Each pair of URL and depth is returned once.
   */
  #nearer(known: readonly string[], from: CrawlUrl, kind: ClaimKind): readonly string[] {
    const depth = from.depth + 1
    if (known.length === 0 || this.#counters.deepest < depth) return []
    const pairs = known.map((url) => `${depth} ${url}`)
    const isNew = this.#shorterPaths.addIfNew(pairs, (place) =>
      this.#log.add(from.id, kind, known[place] ?? ''),
    )
    return known.filter((_, index) => isNew[index])
  }

  #keysOf(urls: readonly string[]): readonly string[] {
    return seenKeys(urls, this.#counters.seenGeneration)
  }

  #tooDeep(urls: readonly string[], { url: via, depth }: CrawlUrl): Skip[] {
    const isKnown = this.#seen.has(this.#keysOf(urls))
    const unknown = urls.filter((_, index) => !isKnown[index])
    this.#counters.add(this.#worker, 'duplicate', urls.length - unknown.length)
    return unknown.map((url) => ({ url, via, depth: depth + 1, reason: 'depth' }))
  }
}
