import type { SkippedFor } from '../frontier/orders.ts'
import type { RobotsRule } from '../robots/parse.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Beside, Failed, Outcome, Visited } from '../wire/messages.ts'
import { backoff } from './backoff.ts'
import type { CrawlState } from './crawl-state.ts'
import { giveUp } from './give-up.ts'
import { reportOf } from './report-of.ts'
import { Suspects } from './suspects.ts'
import type { Settled } from './worker-thread.ts'

const SKIPPED = {
  'host-failed': 'its host was given up',
  limit: 'its host has given as many pages as --max-per-host allows',
} as const

/** Decides what outcomes mean for the crawl: what is found, tried again, or given up. */
export class Settlement {
  readonly #state: CrawlState
  readonly #onWiden: (url: string) => void
  readonly #suspects = new Suspects()

  /** @param onWiden told when a seed takes the scope to another host */
  constructor(state: CrawlState, onWiden: (url: string) => void) {
    this.#state = state
    this.#onWiden = onWiden
  }

  /** @returns records to be written */
  settle(settled: readonly Settled[]): string[] {
    return settled.flatMap(({ crawlUrl, outcome }) => {
      this.#release(this.#suspects.acquit(crawlUrl.id))
      this.#report(crawlUrl, outcome)
      return this.#settle(crawlUrl, outcome)
    })
  }

  /** A worker died with these URLs in its hands: they run again, but for those that kill. */
  runAgain(crawlUrls: readonly CrawlUrl[], cause: Error): string[] {
    const { again, guilty } = this.#suspects.judge(crawlUrls)
    this.#release(again)
    return guilty.flatMap((each) => this.#fail(each, giveUp(each, 'worker-died', cause.message)))
  }

  /** robots.txt could not be asked. */
  giveUp(crawlUrl: CrawlUrl, reason: string): string[] {
    return this.#fail(crawlUrl, giveUp(crawlUrl, 'robots-unreachable', reason))
  }

  /** robots.txt forbids the URL: there is no record, for there was no request. */
  keepOut({ url, hop, via, depth }: CrawlUrl, { line, pattern }: RobotsRule): void {
    const { seeds, skips } = this.#state
    const from = via === undefined ? {} : { via }
    skips.note({ url, ...from, depth, reason: 'robots', rule: pattern, line })
    if (hop === 'seed') seeds.fail(url, `line ${line} of robots.txt disallows ${pattern}`)
  }

  /** The URL is not asked for: there is no record. */
  skip({ url, hop, via, depth }: CrawlUrl, reason: SkippedFor): void {
    const { seeds, skips } = this.#state
    skips.note({ url, ...(via !== undefined && { via }), depth, reason })
    if (hop === 'seed' && reason !== 'trap') seeds.fail(url, SKIPPED[reason])
  }

  #report({ id }: CrawlUrl, outcome: Outcome): void {
    const { frontier, logger } = this.#state
    const host = frontier.report(id, reportOf(outcome), performance.now())
    if (host === undefined) return
    const { key, reason, waiting } = host
    logger.warn({ host: key, waiting }, `${key} is given up, with ${waiting} URLs: ${reason}`)
  }

  #release(crawlUrls: readonly CrawlUrl[]): void {
    for (const { id } of crawlUrls) this.#state.frontier.retry(id, undefined, performance.now())
  }

  #settle(crawlUrl: CrawlUrl, outcome: Outcome): string[] {
    if (outcome.type === 'failed') return this.#fail(crawlUrl, outcome)
    this.#state.tally.count(outcome)
    if (outcome.type === 'visited') return this.#visited(crawlUrl, outcome)
    const pause = backoff(crawlUrl.failures + 1, this.#state.tuning.random)
    const after = Math.max(pause, outcome.retryAfter ?? 0)
    this.#state.frontier.retry(crawlUrl.id, after, performance.now())
    return []
  }

  #visited(crawlUrl: CrawlUrl, outcome: Visited): string[] {
    const followed = this.#widenedBy(crawlUrl, outcome)
    const beside = followed === undefined ? outcome.beside : [...outcome.beside, followed]
    this.#extendChain(crawlUrl, beside)
    if (crawlUrl.hop === 'seed') this.#state.seeds.answered++
    this.#state.skips.write(outcome.skipped)
    this.#state.visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    this.#remember(crawlUrl, outcome)
    this.#state.frontier.visited(crawlUrl.id, { ...outcome, beside }, performance.now())
    return [outcome.record]
  }

  /** What is gone is forgotten, and known again when it is back. */
  #remember({ url }: CrawlUrl, { change }: Visited): void {
    if (change === 'gone') this.#state.memory.forget(url)
    else if (change === 'changed') void this.#state.memory.addIfNew([url])
  }

  /** A seed that redirects out of the scope takes the scope with it, and nothing else does. */
  #widenedBy({ url: via, depth }: CrawlUrl, { leaves }: Visited): Beside | undefined {
    const { scope, seeds, skips } = this.#state
    if (leaves === undefined) return undefined
    const mayWiden = seeds.has(via)
    if (!mayWiden || !scope.widen(leaves)) {
      const reason = mayWiden ? 'excluded' : 'out-of-scope'
      skips.note({ url: leaves, via, depth, reason })
      return undefined
    }
    this.#onWiden(leaves)
    return { hop: 'redirect', urls: [leaves] }
  }

  /** Where a seed redirects to takes its place. */
  #extendChain({ url }: CrawlUrl, beside: readonly Beside[]): void {
    const { seeds } = this.#state
    if (!seeds.has(url)) return
    for (const { hop, urls } of beside) {
      if (hop === 'redirect') for (const target of urls) seeds.join(target)
    }
  }

  #fail(crawlUrl: CrawlUrl, outcome: Failed): string[] {
    const { frontier, logger, seeds, tally } = this.#state
    const isSeed = crawlUrl.hop === 'seed'
    const fallback = isSeed ? seeds.fallbackOf(crawlUrl.url) : undefined
    if (fallback !== undefined) {
      seeds.join(fallback)
      logger.info(`${crawlUrl.url}: ${outcome.message}; trying ${fallback}`)
      frontier.addSeed(fallback, performance.now())
    } else if (isSeed) {
      seeds.fail(crawlUrl.url, outcome.message)
    }
    frontier.failed(crawlUrl.id, performance.now())
    if (fallback !== undefined) return []
    tally.count(outcome)
    this.#state.visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    return [outcome.record]
  }
}
