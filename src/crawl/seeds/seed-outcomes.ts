import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import type { SameDepthUrls, Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import type { Skip } from '../../records/skip.ts'
import type { CrawlScope } from './crawl-scope.ts'
import type { ScopeHints } from './scope-hints.ts'
import type { SeedTracker } from './seed-tracker.ts'

interface SeedOutcomeParts {
  readonly frontier: Pick<Frontier, 'addSeed'>
  readonly hints: Pick<ScopeHints, 'visited'>
  readonly logger: Logger
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
  readonly skips: { add(skip: Skip): void }
}

/** Applies the outcomes of seeds: their redirects may widen the scope, and some have a second URL to try. */
export class SeedOutcomes {
  readonly #parts: SeedOutcomeParts
  readonly #onWiden: (url: string) => void

  /** @param onWiden called with a URL when a seed takes the scope to another host */
  constructor(parts: SeedOutcomeParts, onWiden: (url: string) => void) {
    this.#parts = parts
    this.#onWiden = onWiden
  }

  /** Returns the same-depth links of a visit, with a redirect that widens the scope. Their targets count as seeds. */
  followRedirect(crawlUrl: CrawlUrl, outcome: Visited): readonly SameDepthUrls[] {
    const widening = this.#widenScope(crawlUrl, outcome)
    const sameDepth = widening === undefined ? outcome.sameDepth : [...outcome.sameDepth, widening]
    if (sameDepth.length > 0) this.#extendChain(crawlUrl, sameDepth)
    return sameDepth
  }

  /** Counts a seed that was fetched, and the answer at the end of its redirects. */
  visited({ url, hop }: CrawlUrl, status: number): void {
    const { seeds } = this.#parts
    if (hop === 'seed') seeds.countAnswered()
    if (seeds.has(url) && !isRedirect(status)) seeds.countStatus(url, status)
  }

  /** Logs why a crawl may find less than was meant. */
  giveHints(crawlUrl: CrawlUrl, outcome: Visited): void {
    const { hints, logger, seeds } = this.#parts
    if (outcome.isUnreadSitemap) seeds.warnOfSitemap(crawlUrl.url, logger)
    hints.visited(crawlUrl, outcome)
  }

  /** Handles a failed URL. Returns true if it was a seed and another URL is tried in its place. */
  failed({ url, hop }: CrawlUrl, message: string): boolean {
    if (hop !== 'seed') return false
    const { frontier, logger, seeds } = this.#parts
    const fallback = seeds.takeFallback(url)
    if (fallback === undefined) {
      seeds.fail(url, message)
      return false
    }
    seeds.addToChain(fallback)
    logger.info(`${url}: ${message}; trying ${fallback}`)
    frontier.addSeed(fallback, performance.now())
    return true
  }

  /** Follows a redirect that leaves the scope, if it is that of a seed. */
  #widenScope({ url: via, depth }: CrawlUrl, { leaves }: Visited): SameDepthUrls | undefined {
    const { scope, seeds, skips } = this.#parts
    if (leaves === undefined) return undefined
    const mayWiden = seeds.has(via)
    if (!mayWiden || !scope.widen(leaves)) {
      const reason = scope.whyNot(leaves) ?? 'out-of-scope'
      skips.add({ url: leaves, via, depth, reason })
      return undefined
    }
    this.#onWiden(leaves)
    return { hop: 'redirect', urls: [leaves] }
  }

  #extendChain({ url }: CrawlUrl, sameDepth: readonly SameDepthUrls[]): void {
    const { seeds } = this.#parts
    if (!seeds.has(url)) return
    for (const { hop, urls } of sameDepth) {
      if (hop === 'redirect') for (const target of urls) seeds.addToChain(target)
    }
  }
}
