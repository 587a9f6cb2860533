import { openSeenSet } from '../seen/registry.ts'
import type { SeenSet } from '../seen/seen-set.ts'
import { Counters } from '../wire/counters.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Findings, Visited, WorkerSetup } from '../wire/messages.ts'
import { packLinks } from '../wire/pack-links.ts'
import type { Skip } from '../wire/skip.ts'

/** What the links of a page lead to. */
interface Discoveries {
  readonly findings: Omit<Findings, 'beside'> & Pick<Visited, 'outlinks'>
  /** How many were new. */
  readonly added: number
  /** Those beyond the depth limit. */
  readonly skips: readonly Skip[]
}

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

  constructor(setup: WorkerSetup) {
    this.#seen = openSeenSet(setup.seen, setup.owner)
    this.#shorterPaths = openSeenSet(setup.shorterPaths, setup.owner)
    this.#counters = new Counters(setup.counters)
    this.#worker = setup.worker
    this.#depthLimit = setup.depth
    this.#tellsAll = setup.claimsLate
    this.#tellsOutlinks = setup.tellOutlinks
  }

  /** @param urls links of a page, inside the scope, each once */
  async discover(urls: readonly string[], from: CrawlUrl): Promise<Discoveries> {
    const links = this.#packed(urls, from)
    if (this.#tellsAll) {
      return { findings: { discovered: urls, nearer: [], ...links }, added: 0, skips: [] }
    }
    if (from.depth >= this.#depthLimit) {
      const skips = await this.#tooDeep(urls, from)
      return { findings: { discovered: [], nearer: [], ...links }, added: 0, skips }
    }
    const { isNew, added } = await this.#addIfNew(urls)
    const discovered = urls.filter((_, index) => isNew[index])
    const known = added === urls.length ? [] : urls.filter((_, index) => !isNew[index])
    return {
      findings: { discovered, nearer: await this.#nearer(known, from.depth + 1), ...links },
      added,
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
  async claim(urls: readonly string[]): Promise<number> {
    return this.#tellsAll ? 0 : (await this.#addIfNew(urls)).added
  }

  async #addIfNew(urls: readonly string[]) {
    const answers = this.#seen.addIfNew(urls)
    const isNew = answers instanceof Promise ? await answers : answers
    let added = 0
    for (const fresh of isNew) if (fresh) added++
    this.#counters.add(this.#worker, 'setSize', added)
    this.#counters.add(this.#worker, 'duplicate', urls.length - added)
    return { isNew, added }
  }

  /**
   * A known URL may have been named on a longer path only if a page deeper than this one was handed
   * out. Each pair of URL and depth is told once: the frontier decides.
   */
  async #nearer(known: readonly string[], depth: number): Promise<readonly string[]> {
    if (this.#counters.deepest < depth) return []
    const isNew = await this.#shorterPaths.addIfNew(known.map((url) => `${depth} ${url}`))
    return known.filter((_, index) => isNew[index])
  }

  async #tooDeep(urls: readonly string[], { url: via, depth }: CrawlUrl): Promise<Skip[]> {
    const isKnown = await this.#seen.has(urls)
    const unknown = urls.filter((_, index) => !isKnown[index])
    this.#counters.add(this.#worker, 'duplicate', urls.length - unknown.length)
    return unknown.map((url) => ({ url, via, depth: depth + 1, reason: 'depth' }))
  }
}
