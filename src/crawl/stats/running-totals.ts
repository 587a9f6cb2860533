import type { Outcome } from '../../messages/outcome.ts'
import type { SavedTally } from '../../state/ledger.ts'
import { isHttpError, sumOf } from './failure-counts.ts'
import type { RoundStats, VisitCounts } from './stats.ts'

const NOTHING: VisitCounts = {
  elapsedMs: 0,
  visits: 0,
  failed: 0,
  bytes: 0,
  retries: 0,
  statuses: {},
  errors: {},
  skipped: {},
}

/** Running totals of a crawl. */
export class RunningTotals {
  readonly #maxPages: number
  readonly #startedAt = performance.now()
  readonly #statuses = new Map<number, number>()
  readonly #errors = new Map<string, number>()
  #visits = 0
  #round = 1
  /** Totals of the earlier rounds. */
  #before: VisitCounts = NOTHING
  /** Records of earlier runs; undefined if there was none. */
  #visitsOfEarlierRuns: number | undefined
  #failed = 0
  #bytes = 0
  #known = 0
  #postponed = 0
  /** Milliseconds of earlier runs. */
  #elapsedBefore = 0

  /** @param maxPages maximum number of records in a round */
  constructor(maxPages = Number.POSITIVE_INFINITY) {
    this.#maxPages = maxPages
  }

  /** Milliseconds of the crawl, all of its runs together. */
  get elapsedMs(): number {
    return Math.round(this.#elapsedBefore + performance.now() - this.#startedAt)
  }

  /** Number of records. */
  get visits(): number {
    return this.#visits
  }

  /** Number of records of this round. */
  get visitsOfRound(): number {
    return this.#visits - this.#before.visits
  }

  /** Number of records that may still be written in this round. */
  get pagesLeft(): number {
    return this.#maxPages - this.visitsOfRound
  }

  /** Number of records of this run; undefined if there was no earlier one. */
  get visitsOfRun(): number | undefined {
    const earlier = this.#visitsOfEarlierRuns
    return earlier === undefined ? undefined : this.#visits - earlier
  }

  /** Number of the round of `--revisit-after`, from 1. */
  get round(): number {
    return this.#round
  }

  /** Number of URLs on pages that were already in the shared seen set of the job. */
  get known(): number {
    return this.#known
  }

  /** The counts of all rounds together. */
  get counts(): Omit<VisitCounts, 'skipped'> {
    return {
      elapsedMs: this.elapsedMs,
      visits: this.#visits,
      failed: this.#failed,
      bytes: this.#bytes,
      retries: this.#postponed,
      statuses: Object.fromEntries(this.#statuses),
      errors: Object.fromEntries(this.#errors),
    }
  }

  get saved(): SavedTally {
    const round = this.#round
    const { visits: visitsBefore, retries, ...before } = this.#before
    return {
      elapsedMs: this.elapsedMs,
      round,
      visits: this.#visits,
      visitsBefore,
      failed: this.#failed,
      bytes: this.#bytes,
      postponed: this.#postponed,
      statuses: [...this.#statuses],
      errors: [...this.#errors],
      ...(round > 1 && { before: { ...before, postponed: retries } }),
    }
  }

  /** Continues from the totals of an earlier run. */
  restore(saved: SavedTally): void {
    this.#elapsedBefore = saved.elapsedMs
    this.#round = saved.round
    this.#visits = saved.visits
    this.#visitsOfEarlierRuns = saved.visits
    const { postponed: retries = 0, errors = {}, ...before } = saved.before ?? {}
    const failed = sumOf(Object.entries(errors))
    const visits = saved.visitsBefore
    this.#before = { ...NOTHING, failed, errors, ...before, retries, visits }
    this.#failed = saved.failed ?? sumOf(saved.errors)
    this.#bytes = saved.bytes
    this.#postponed = saved.postponed
    for (const [status, count] of saved.statuses) this.#statuses.set(status, count)
    for (const [code, count] of saved.errors) this.#errors.set(code, count)
  }

  /** @param totals of the crawl so far */
  beginRound(totals: VisitCounts): void {
    this.#round++
    this.#before = totals
  }

  /** Returns the round's part of the totals; undefined in the first round. */
  partOfRound(totals: VisitCounts): RoundStats | undefined {
    if (this.#round === 1) return undefined
    const before = this.#before
    const since = (name: 'elapsedMs' | 'visits' | 'failed' | 'bytes' | 'retries') =>
      totals[name] - before[name]
    return {
      number: this.#round,
      elapsedMs: since('elapsedMs'),
      visits: since('visits'),
      statuses: increases(before.statuses, totals.statuses),
      errors: increases(before.errors, totals.errors),
      failed: since('failed'),
      bytes: since('bytes'),
      retries: since('retries'),
      skipped: increases(before.skipped, totals.skipped),
    }
  }

  addKnown(urls: number): void {
    this.#known += urls
  }

  addPostponed(): void {
    this.#postponed++
  }

  count(outcome: Outcome): void {
    if (outcome.type === 'postponed') {
      if (!outcome.isPreliminary) this.addPostponed()
      return
    }
    this.#visits++
    if (outcome.error !== undefined) increment(this.#errors, outcome.error)
    const hasHttpError = outcome.type === 'visited' && isHttpError(outcome.status)
    if (outcome.error !== undefined && !hasHttpError) this.#failed++
    if (outcome.type === 'failed') return
    increment(this.#statuses, outcome.status)
    this.#bytes += outcome.bytes ?? 0
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

type Counts = Readonly<Record<string, number>>

/** Returns by how much each count has grown, without those that have not. */
function increases(before: Counts, now: Counts): Counts {
  const grown = Object.entries(now).map(
    ([name, count]) => [name, count - (before[name] ?? 0)] as const,
  )
  return Object.fromEntries(grown.filter(([, count]) => count > 0))
}
