import { openSeenSet } from '../seen/registry.ts'
import type { SeenSet } from '../seen/seen-set.ts'
import { Scope } from '../url/scope.ts'
import { Counters } from '../wire/counters.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { WorkerSetup } from '../wire/messages.ts'
import { packLinks } from '../wire/pack-links.ts'

/** What a page's links turned out to be. */
export interface Discoveries {
  /** URLs that this page was the first to name. */
  readonly discovered: readonly string[]
  /** URLs named before, for which this page may be on a shorter path. */
  readonly nearer: readonly string[]
  /** All that are in scope, packed, when they were asked for. */
  readonly links?: Uint8Array
}

/** The URL-seen test of one worker: links pass it before they cross to the coordinator. */
export class Discoverer {
  readonly scope: Scope
  readonly #seen: SeenSet
  /** Remembers at which depths a URL was met by pages that lag behind. */
  readonly #shorterPaths: SeenSet
  readonly #counters: Counters
  readonly #worker: number
  readonly #depthLimit: number

  constructor(setup: WorkerSetup) {
    this.scope = new Scope(setup.scope)
    for (const url of setup.widened) this.scope.widen(url)
    this.#seen = openSeenSet(setup.seen, setup.owner)
    this.#shorterPaths = openSeenSet(setup.shorterPaths, setup.owner)
    this.#counters = new Counters(setup.counters)
    this.#worker = setup.worker
    this.#depthLimit = setup.depth
  }

  /** @param urls canonical URLs of a page's links, in or out of scope */
  async discover(urls: readonly string[], from: CrawlUrl): Promise<Discoveries> {
    const inScope = [...new Set(urls)].filter((url) => this.scope.contains(url))
    const links = from.keepLinks ? { links: packLinks(inScope) } : {}
    if (from.depth >= this.#depthLimit) return { discovered: [], nearer: [], ...links }
    const [discovered, known] = await this.#addIfNew(inScope)
    return { discovered, nearer: await this.#nearer(known, from.depth + 1), ...links }
  }

  /** True when nobody named the target of a redirect before. */
  async isNew(target: string): Promise<boolean> {
    const [discovered] = await this.#addIfNew([target])
    return discovered.length > 0
  }

  async #addIfNew(urls: readonly string[]): Promise<[added: string[], known: string[]]> {
    const answers = this.#seen.addIfNew(urls)
    const isNew = answers instanceof Promise ? await answers : answers
    const added = urls.filter((_, index) => isNew[index])
    this.#counters.add(this.#worker, 'setSize', added.length)
    return [added, added.length === urls.length ? [] : urls.filter((_, index) => !isNew[index])]
  }

  /**
   * A known URL may have been named on a longer path only if a page deeper than this one was handed
   * out. Each pair of URL and depth is told once: the frontier decides.
   */
  async #nearer(known: readonly string[], depth: number): Promise<readonly string[]> {
    if (this.#counters.deepest < depth) return []
    const paths = known.map((url) => `${depth} ${url}`)
    const answers = this.#shorterPaths.addIfNew(paths)
    const isNew = answers instanceof Promise ? await answers : answers
    return known.filter((_, index) => isNew[index])
  }
}
