import type { Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { type Skip, skipKey } from '../../records/skip.ts'
import { fetchedFields } from '../../records/visit-record.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'

export interface SeenCheckParts {
  readonly config: { readonly depth: number }
  readonly memory: SharedMemory
  readonly skips: SkipLog
}

/**
 * The seen check on the main thread, in the order in which pages are settled. Workers then make no seen check, and send
 * all links of a page. So with `--deterministic`, each URL is found on the same page in every run. With
 * `--no-follow-duplicates`, the links of duplicate pages don't count as seen.
 */
export class MainThreadSeenCheck {
  readonly #parts: SeenCheckParts

  constructor(parts: SeenCheckParts) {
    this.#parts = parts
  }

  /** Returns the outcome of a page with its new links only. */
  keepNew(crawlUrl: CrawlUrl, outcome: Visited): Visited {
    const { config } = this.#parts
    const isDeepest = crawlUrl.depth >= config.depth
    const discovered = isDeepest ? [] : this.#addNew(outcome.discovered)
    if (isDeepest) this.#skipTooDeep(crawlUrl, outcome.discovered)
    const sameDepth = outcome.sameDepth.flatMap(({ urls }) => this.#addNew(urls))
    const nearer = isDeepest ? [] : this.#mayBeNearer(crawlUrl, outcome.discovered)
    const count = discovered.length + sameDepth.length
    const fetched = fetchedFields(outcome.fields)
    const hasCount = fetched.discovered !== undefined
    const fields = hasCount ? { ...fetched, discovered: count } : fetched
    this.#addSkips(outcome.skipped)
    return { ...outcome, discovered, nearer, fields, skipped: [] }
  }

  /** Adds URLs to the seen set. Returns the new ones; the others are duplicates. */
  #addNew(urls: readonly string[]): readonly string[] {
    const added = this.#parts.memory.addNew(urls)
    this.#countDuplicates(urls.length - added.length)
    return added
  }

  /** Counts duplicates as those of worker 1, like repeated seeds, since no worker has checked them. */
  #countDuplicates(count: number): void {
    this.#parts.memory.counters.add(1, 'duplicate', count)
  }

  /** Returns the links to which the page may be a shorter path: none unless a deeper URL was handed out. */
  #mayBeNearer({ depth }: CrawlUrl, links: readonly string[]): readonly string[] {
    return this.#parts.memory.counters.deepest > depth ? links : []
  }

  #skipTooDeep({ url: via, depth }: CrawlUrl, links: readonly string[]): void {
    const { memory } = this.#parts
    const unseen = memory.keepUnseen(links)
    this.#countDuplicates(links.length - unseen.length)
    this.#addSkips(unseen.map((url) => ({ url, via, depth: depth + 1, reason: 'depth' })))
  }

  #addSkips(skipped: readonly Skip[]): void {
    const { memory, skips } = this.#parts
    for (const skip of memory.markReported(skipped, skipKey)) skips.add(skip)
  }
}
