import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import type { Failed, Outcome, Postponed, Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import { VisitRecord } from '../../records/visit-record.ts'
import type { VisitStore } from '../../state/visit-store.ts'
import type { SeedOutcomes } from '../seeds/seed-outcomes.ts'
import type { DecisionLog } from '../stats/decision-log.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import { backoff } from './backoff.ts'

/** Returns the outcome of a page with changed links or fields. */
type ChangeVisit = (crawlUrl: CrawlUrl, outcome: Visited) => Visited

interface OutcomeApplierParts {
  /**
   * Changes to a visit before it is applied, in this order and each only if the crawl needs it: the test for
   * duplicates, the seen check, learning from rendered pages, and adding the resources that they loaded.
   */
  readonly changes: readonly ChangeVisit[]
  /** Set if the log shows decisions. */
  readonly decisions: DecisionLog | undefined
  readonly frontier: Pick<Frontier, 'visited' | 'failed' | 'retry'>
  readonly logger: Logger
  readonly memory: Pick<SharedMemory, 'addIfNew' | 'forget'>
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  readonly seedOutcomes: SeedOutcomes
  readonly skips: SkipLog
  readonly tally: RunningTotals
  /** Set for a crawl that is kept. */
  readonly visits: VisitStore | undefined
}

/** Applies outcomes that count: adds the links of pages, counts and stores visits, and schedules retries. */
export class OutcomeApplier {
  readonly #parts: OutcomeApplierParts

  constructor(parts: OutcomeApplierParts) {
    this.#parts = parts
  }

  /** Applies an outcome. Returns the record to write, if it has one. */
  apply(crawlUrl: CrawlUrl, outcome: Outcome): Delivery[] {
    const { decisions, frontier, random, tally } = this.#parts
    if (outcome.type === 'failed') return this.#failed(crawlUrl, outcome)
    if (!crawlUrl.isReread) tally.count(outcome)
    if (outcome.type === 'visited') return this.#visited(crawlUrl, outcome)
    const pause = Math.max(backoff(crawlUrl.failures + 1, random), outcome.retryAfter ?? 0)
    decisions?.retried(crawlUrl, reasonOf(outcome), pause)
    frontier.retry(crawlUrl.id, pause, performance.now())
    return []
  }

  /** Applies an outcome whose host was leased to another process meanwhile: its links count, but it gets no record. */
  applyLost({ id }: CrawlUrl, outcome: Outcome): void {
    const { frontier, skips } = this.#parts
    if (outcome.type === 'visited') {
      skips.writeCounted(outcome.skipped)
      frontier.visited(id, outcome, performance.now())
    } else frontier.failed(id, performance.now())
  }

  #visited(crawlUrl: CrawlUrl, visited: Visited): Delivery[] {
    const { changes, frontier, seedOutcomes, skips, visits } = this.#parts
    let outcome = visited
    for (const change of changes) outcome = change(crawlUrl, outcome)
    outcome = seedOutcomes.followRedirect(crawlUrl, outcome)
    seedOutcomes.giveHints(crawlUrl, outcome)
    skips.writeCounted(outcome.skipped)
    frontier.visited(crawlUrl.id, outcome, performance.now())
    if (crawlUrl.isReread) {
      visits?.noteLinks(crawlUrl.id, crawlUrl.depth, outcome.linkCount)
      return []
    }
    seedOutcomes.visited(crawlUrl, outcome.status)
    visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    this.#updateSeen(crawlUrl, outcome)
    const { outlinks, exchange, resources, body, pageLinks, imageKind } = outcome
    const record = VisitRecord.of(crawlUrl, outcome.fields)
    return [{ record, outlinks, exchange, resources, body, pageLinks, imageKind }]
  }

  /** Removes a page that is gone from the seen set, and adds one that is back. */
  #updateSeen({ url }: CrawlUrl, { change }: Visited): void {
    if (change === 'gone') this.#parts.memory.forget([url])
    else if (change === 'changed') this.#parts.memory.addIfNew([url])
  }

  #failed(crawlUrl: CrawlUrl, outcome: Failed): Delivery[] {
    const { frontier, seedOutcomes, tally, visits } = this.#parts
    if (crawlUrl.isReread) return this.#rereadFailed(crawlUrl, outcome)
    const hasFallback = seedOutcomes.failed(crawlUrl, outcome.message)
    frontier.failed(crawlUrl.id, performance.now(), hasFallback)
    if (hasFallback) return []
    tally.count(outcome)
    visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    return [{ record: VisitRecord.of(crawlUrl, outcome.fields) }]
  }

  /** Ends a failed reread. The page keeps its record, and its current links stay unknown. */
  #rereadFailed({ id, url }: CrawlUrl, { message }: Failed): Delivery[] {
    const { frontier, logger } = this.#parts
    logger.warn({ url }, `${url} could not be read again for its links: ${message}`)
    frontier.failed(id, performance.now())
    return []
  }
}

/** Returns why a URL is retried. */
function reasonOf({ status, error }: Postponed): string {
  return error ?? (status === undefined ? 'no answer' : `answered ${status}`)
}
