import type { Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { type Skip, skipKey } from '../../records/skip.ts'
import type { CrawlState } from '../crawl-state.ts'

/**
 * The URL-seen test on the main thread, in the order in which pages are settled: for `--deterministic`,
 * so that each URL is found on the same page every time, and where links of duplicates aren't followed,
 * so that those don't count as seen. Workers send all links of a page and ask nobody.
 */
export class DeferredSeenTest {
  readonly #state: CrawlState

  constructor(state: CrawlState) {
    this.#state = state
  }

  /** What a page was the first to name, in place of all that it names. */
  keepNew(crawlUrl: CrawlUrl, outcome: Visited): Visited {
    const { config, memory } = this.#state
    const isDeepest = crawlUrl.depth >= config.depth
    const discovered = isDeepest ? [] : memory.addNew(outcome.discovered)
    if (isDeepest) this.#noteTooDeep(crawlUrl, outcome.discovered)
    const beside = outcome.beside.flatMap(({ urls }) => memory.addNew(urls))
    const nearer = isDeepest ? [] : this.#nearer(crawlUrl, outcome.discovered)
    const count = discovered.length + beside.length
    const hasCount = outcome.fields.discovered !== undefined
    const fields = hasCount ? { ...outcome.fields, discovered: count } : outcome.fields
    return { ...outcome, discovered, nearer, fields, skipped: this.#untold(outcome.skipped) }
  }

  /** Known URLs may have been named on a longer path only if a deeper page was handed out. */
  #nearer({ depth }: CrawlUrl, links: readonly string[]): readonly string[] {
    const { config, memory } = this.#state
    return !config.deterministic && memory.counters.deepest > depth ? links : []
  }

  #noteTooDeep({ url: via, depth }: CrawlUrl, links: readonly string[]): void {
    const { memory, skips } = this.#state
    for (const url of memory.firstByKey(memory.newAmong(links), (url) => `depth ${url}`)) {
      skips.note({ url, via, depth: depth + 1, reason: 'depth' })
    }
  }

  /** Returns the URLs that no earlier page had a line about. */
  #untold(skips: readonly Skip[]): readonly Skip[] {
    return this.#state.memory.firstByKey(skips, skipKey)
  }
}
