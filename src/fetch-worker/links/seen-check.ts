import type { ClaimKind, ClaimLog } from '../../messages/claim-log.ts'
import { Counters } from '../../messages/counters.ts'
import type { Findings, Visited } from '../../messages/messages.ts'
import { packLinks } from '../../messages/pack-links.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { forgettingOf, openSeenSet } from '../../seen/registry.ts'
import type { SeenSet } from '../../seen/seen-set.ts'
import { TextAllowance } from './text-budget.ts'

/** What the links of a page lead to. */
interface Discoveries {
  readonly findings: Omit<Findings, 'beside'> & Pick<Visited, 'outlinks'>
  /** How many were new. */
  readonly added: number
  /** Those beyond the depth limit. */
  readonly skips: readonly Skip[]
}

type DiscovererSetup = Pick<
  WorkerSetup,
  | 'seen'
  | 'shorterPaths'
  | 'owner'
  | 'counters'
  | 'worker'
  | 'depth'
  | 'claimsLate'
  | 'tellOutlinks'
>

/** The URL-seen test of one worker: links pass it before they cross to the coordinator. */
export class Discoverer {
  readonly #seen: SeenSet
  /** Remembers at which depths a URL was met by pages that lag behind. */
  readonly #shorterPaths: SeenSet
  readonly #counters: Counters
  readonly #worker: number
  readonly #depthLimit: number
  readonly #tellsAll: boolean
  readonly #tellsOutlinks: boolean
  /** URLs that passed the test lately, so that it need not be asked again; undefined where the seen set forgets some. */
  readonly #known: Set<string> | undefined
  readonly #allowance = new TextAllowance()
  readonly #log: ClaimLog

  constructor(setup: DiscovererSetup, log: ClaimLog) {
    this.#log = log
    this.#seen = openSeenSet(setup.seen, setup.owner)
    this.#shorterPaths = openSeenSet(setup.shorterPaths, setup.owner)
    this.#counters = new Counters(setup.counters)
    this.#worker = setup.worker
    this.#depthLimit = setup.depth
    this.#tellsAll = setup.claimsLate
    this.#tellsOutlinks = setup.tellOutlinks
    this.#known = forgettingOf(setup.seen.name) === 'never' ? new Set() : undefined
  }

  /** @param urls links of a page, inside the scope, each once */
  discover(urls: readonly string[], from: CrawlUrl): Discoveries {
    const links = this.#packed(urls, from)
    if (this.#tellsAll) {
      return { findings: { discovered: urls, nearer: [], ...links }, added: 0, skips: [] }
    }
    if (from.depth >= this.#depthLimit) {
      const skips = this.#tooDeep(urls, from)
      return { findings: { discovered: [], nearer: [], ...links }, added: 0, skips }
    }
    const discovered = this.#addIfNew(urls, from, 'link')
    const nearer = this.#nearer(urls, discovered, from, 'link')
    return {
      findings: { discovered, nearer, ...links },
      added: discovered.length,
      skips: [],
    }
  }

  /** All links, where the frontier or an output asks for them. */
  #packed(urls: readonly string[], { keepLinks }: CrawlUrl) {
    if (!keepLinks && !this.#tellsOutlinks) return {}
    const packed = packLinks(urls)
    return {
      ...(keepLinks && { links: packed }),
      ...(this.#tellsOutlinks && { outlinks: packed }),
    }
  }

  /** Claims what is reached by steps of length 0; gives how many of the URLs were new. */
  claim(urls: readonly string[], from: CrawlUrl, kind: ClaimKind): number {
    return this.#tellsAll ? 0 : this.#addIfNew(urls, from, kind).length
  }

  /** Claims what is only asked for; gives what is to be told: all of a page that runs again, or as of links. */
  claimOutside(urls: readonly string[], from: CrawlUrl): readonly string[] {
    if (urls.length === 0 || this.#tellsAll) return urls
    const added = this.#addIfNew(urls, from, 'external')
    if (from.attempt > 1) return urls
    return [...added, ...this.#nearer(urls, added, from, 'external')]
  }

  /** Those of the URLs that are new. */
  #addIfNew(urls: readonly string[], { id }: CrawlUrl, kind: ClaimKind): readonly string[] {
    const unsure = this.#known === undefined ? urls : this.#unknown(urls, this.#known)
    const isNew =
      unsure.length === 0
        ? []
        : this.#seen.addIfNew(unsure, (place) => this.#log.note(id, kind, unsure[place] ?? ''))
    const added = unsure.filter((_, index) => isNew[index])
    this.#counters.add(this.#worker, 'setSize', added.length)
    this.#counters.add(this.#worker, 'duplicate', urls.length - added.length)
    return added
  }

  /** Those that this worker has not asked about lately; by the next time they will be known. */
  #unknown(urls: readonly string[], known: Set<string>): readonly string[] {
    const unknown = urls.filter((url) => !known.has(url))
    for (const url of unknown) {
      known.add(url)
      this.#allowance.use(url)
    }
    if (this.#allowance.isUsedUp) {
      known.clear()
      this.#allowance.reset()
    }
    return unknown
  }

  /**
   * A known URL may have been named on a longer path only if a page deeper than this one was handed
   * out. Each pair of URL and depth is told once: the frontier decides.
   */
  #nearer(
    urls: readonly string[],
    discovered: readonly string[],
    from: CrawlUrl,
    kind: ClaimKind,
  ): readonly string[] {
    const depth = from.depth + 1
    if (this.#counters.deepest < depth || urls.length === discovered.length) return []
    const fresh = new Set(discovered)
    const known = urls.filter((url) => !fresh.has(url))
    const pairs = known.map((url) => `${depth} ${url}`)
    const isNew = this.#shorterPaths.addIfNew(pairs, (place) =>
      this.#log.note(from.id, kind, known[place] ?? ''),
    )
    return known.filter((_, index) => isNew[index])
  }

  #tooDeep(urls: readonly string[], { url: via, depth }: CrawlUrl): Skip[] {
    const isKnown = this.#seen.has(urls)
    const unknown = urls.filter((_, index) => !isKnown[index])
    this.#counters.add(this.#worker, 'duplicate', urls.length - unknown.length)
    return unknown.map((url) => ({ url, via, depth: depth + 1, reason: 'depth' }))
  }
}
