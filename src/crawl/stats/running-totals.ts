import type { Outcome } from '../../messages/messages.ts'
import type { SavedTally } from '../../state/ledger.ts'

/** Running totals of a crawl. */
export class RunningTotals {
  readonly #startedAt = performance.now()
  readonly #statuses = new Map<number, number>()
  readonly #errors = new Map<string, number>()
  #visits = 0
  #round = 1
  /** Records of earlier rounds. */
  #visitsBefore = 0
  #bytes = 0
  #known = 0
  #postponed = 0
  /** Milliseconds of earlier runs. */
  #elapsedBefore = 0

  /** Milliseconds of the crawl, all of its runs together. */
  get elapsedMs(): number {
    return Math.round(this.#elapsedBefore + performance.now() - this.#startedAt)
  }

  /** Number of visits by HTTP status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.#statuses
  }

  /** Number of visits by error code. */
  get errors(): ReadonlyMap<string, number> {
    return this.#errors
  }

  /** Number of records. */
  get visits(): number {
    return this.#visits
  }

  /** Number of records of this round. */
  get visitsOfRound(): number {
    return this.#visits - this.#visitsBefore
  }

  /** Number of the round of `--revisit-after`, from 1. */
  get round(): number {
    return this.#round
  }

  /** Bytes of decoded bodies. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of found URLs that the shared seen set of a job knew. */
  get known(): number {
    return this.#known
  }

  /** Number of attempts that will be made again. */
  get postponed(): number {
    return this.#postponed
  }

  get saved(): SavedTally {
    const { elapsedMs, round, visits, bytes, postponed, statuses, errors } = this
    const counts = { elapsedMs, round, visits, visitsBefore: this.#visitsBefore, bytes, postponed }
    return { ...counts, statuses: [...statuses], errors: [...errors] }
  }

  /** Continues from the totals of an earlier run. */
  restore(saved: SavedTally): void {
    this.#elapsedBefore = saved.elapsedMs
    this.#round = saved.round
    this.#visits = saved.visits
    this.#visitsBefore = saved.visitsBefore
    this.#bytes = saved.bytes
    this.#postponed = saved.postponed
    for (const [status, count] of saved.statuses) this.#statuses.set(status, count)
    for (const [code, count] of saved.errors) this.#errors.set(code, count)
  }

  beginRound(): void {
    this.#round++
    this.#visitsBefore = this.#visits
  }

  addKnown(urls: number): void {
    this.#known += urls
  }

  addPostponed(): void {
    this.#postponed++
  }

  count(outcome: Outcome): void {
    if (outcome.type === 'postponed') {
      this.addPostponed()
      return
    }
    this.#visits++
    if (outcome.error !== undefined) increment(this.#errors, outcome.error)
    if (outcome.type === 'failed') return
    increment(this.#statuses, outcome.status)
    this.#bytes += outcome.bytes
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
