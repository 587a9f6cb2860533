import { defersSeenCheck, type SeenCheckSettings } from '../../config/defers-seen-check.ts'
import { needsExchanges, type OutputSettings } from '../../formats/choose-format.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Failed, Outcome, Postponed, Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import { VisitRecord } from '../../records/visit-record.ts'
import type { VisitStore } from '../../state/visit-store.ts'
import type { ScopeHints } from '../seeds/scope-hints.ts'
import { type SeedOutcomeParts, SeedOutcomes } from '../seeds/seed-outcomes.ts'
import type { DecisionLog } from '../stats/decision-log.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { Tuning } from '../tuning.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import { backoff } from './backoff.ts'
import { MainThreadSeenCheck, type SeenCheckParts } from './main-thread-seen-check.ts'

/** Returns the outcome of a page with changed links or fields. */
type ChangeVisit = (crawlUrl: CrawlUrl, outcome: Visited) => Visited

interface OutcomeApplierParts extends SeedOutcomeParts, SeenCheckParts {
  readonly config: SeedOutcomeParts['config'] &
    SeenCheckParts['config'] &
    SeenCheckSettings &
    OutputSettings
  /** Set if the log shows decisions. */
  readonly decisions: DecisionLog | undefined
  /** Undefined without `--content-dedup`. */
  readonly duplicates: { readonly check: ChangeVisit } | undefined
  readonly frontier: Pick<Frontier, 'addSeed' | 'visited' | 'failed' | 'retry'>
  readonly hints: Pick<ScopeHints, 'visited'>
  /** Returns whether a link out of the scope need not be requested. */
  readonly isKnownExternal?: ((url: string) => boolean) | undefined
  /** Undefined without `--render`. */
  readonly learning: { readonly learn: ChangeVisit } | undefined
  /** Adds the responses for the archive that are no visits. */
  readonly loaded: { readonly attach: ChangeVisit }
  readonly memory: SharedMemory
  /** Undefined without `--render`. */
  readonly renderTally: { readonly count: ChangeVisit } | undefined
  readonly skips: SkipLog
  readonly tally: RunningTotals
  readonly tuning: Pick<Tuning, 'random'>
  /** Set for a crawl that is kept. */
  readonly visits: VisitStore | undefined
}

/** Applies outcomes that count: adds the links of pages, counts and stores visits, and schedules retries. */
export class OutcomeApplier {
  readonly #parts: OutcomeApplierParts
  readonly #changes: readonly ChangeVisit[]
  readonly #seedOutcomes: SeedOutcomes

  /** @param onWiden called with a URL of each host that joins the scope */
  constructor(parts: OutcomeApplierParts, onWiden: (url: string) => void) {
    this.#parts = parts
    this.#changes = changesIn(parts)
    this.#seedOutcomes = new SeedOutcomes(parts, onWiden)
  }

  /** Applies an outcome. Returns the record to write, if it has one. */
  apply(crawlUrl: CrawlUrl, outcome: Outcome): Delivery[] {
    const { decisions, frontier, tally, tuning } = this.#parts
    if (outcome.type === 'failed') return this.#failed(crawlUrl, outcome)
    if (!crawlUrl.isReread) tally.count(outcome)
    if (outcome.type === 'visited') return this.#visited(crawlUrl, outcome)
    if (outcome.timedOut === true && this.#seedOutcomes.timedOut(crawlUrl)) {
      frontier.failed(crawlUrl.id, performance.now(), true)
      return []
    }
    const pause = Math.max(backoff(crawlUrl.failures + 1, tuning.random), outcome.retryAfter ?? 0)
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
    const { frontier, hints, skips, visits } = this.#parts
    let outcome = visited
    for (const change of this.#changes) outcome = change(crawlUrl, outcome)
    outcome = this.#seedOutcomes.followRedirect(crawlUrl, outcome)
    hints.visited(crawlUrl, outcome)
    skips.writeCounted(outcome.skipped)
    frontier.visited(crawlUrl.id, outcome, performance.now())
    if (crawlUrl.isReread) {
      visits?.noteLinks(crawlUrl.id, crawlUrl.depth, outcome.linkCount)
      return []
    }
    this.#seedOutcomes.visited(crawlUrl, outcome)
    visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    this.#updateSeen(crawlUrl, outcome)
    const { outlinks, exchange, resources, body, pageLinks, imageKind, screenshot } = outcome
    const record = VisitRecord.of(crawlUrl, outcome.fields)
    return [{ record, outlinks, exchange, resources, body, pageLinks, imageKind, screenshot }]
  }

  /** Removes a page that is gone from the seen set, and adds one that is back. */
  #updateSeen({ url }: CrawlUrl, { change }: Visited): void {
    if (change === 'gone') this.#parts.memory.forget([url])
    else if (change === 'changed') this.#parts.memory.addIfNew([url])
  }

  #failed(crawlUrl: CrawlUrl, outcome: Failed): Delivery[] {
    const { frontier, tally, visits } = this.#parts
    if (crawlUrl.isReread) return this.#rereadFailed(crawlUrl, outcome)
    const hasFallback = this.#seedOutcomes.failed(crawlUrl, outcome.message)
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

/** Returns the changes that the crawl needs before a visit is applied, in this order. */
function changesIn(parts: OutcomeApplierParts): ChangeVisit[] {
  const { config, duplicates, isKnownExternal, learning, loaded, renderTally } = parts
  const seenCheck = defersSeenCheck(config) ? new MainThreadSeenCheck(parts) : undefined
  const changes = [
    // Comes first, since the links of a duplicate may not be followed.
    duplicates?.check.bind(duplicates),
    isKnownExternal && withoutKnownExternal(isKnownExternal),
    seenCheck?.keepNew.bind(seenCheck),
    renderTally?.count.bind(renderTally),
    // Counts the links that are new, so it comes after the seen check.
    learning?.learn.bind(learning),
    needsExchanges(config) ? loaded.attach.bind(loaded) : undefined,
  ]
  return changes.filter((change) => change !== undefined)
}

/** Returns a change that leaves out the known links out of the scope, also when a page is read again. */
function withoutKnownExternal(isKnown: (url: string) => boolean): ChangeVisit {
  return (_, outcome) => {
    const sameDepth = outcome.sameDepth.map(({ hop, urls }) => {
      return { hop, urls: hop === 'external' ? urls.filter((url) => !isKnown(url)) : urls }
    })
    return { ...outcome, sameDepth }
  }
}

/** Returns why a URL is retried. */
function reasonOf({ status, error }: Postponed): string {
  return error ?? (status === undefined ? 'no answer' : `answered ${status}`)
}
