import type { Outcome } from '../../messages/messages.ts'
import type { SavedTally } from '../../state/ledger.ts'

/** Running totals of a crawl. */
export class Tally {
  readonly #startedAt = performance.now()
  readonly statuses = new Map<number, number>()
  readonly errors = new Map<string, number>()
  /** Records written. */
  visits = 0
  /** Which round of `--revisit-after` this is, from 1, and how many records those before it wrote. */
  round = 1
  visitsBefore = 0
  /** Bytes of decoded bodies. */
  bytes = 0
  /** URLs that the URL-seen test of a job dropped here. */
  known = 0
  /** Attempts that will be made again. */
  postponed = 0
  /** Milliseconds that earlier runs took. */
  #elapsedBefore = 0

  /** Milliseconds, those of earlier runs included. */
  get elapsedMs(): number {
    return Math.round(this.#elapsedBefore + performance.now() - this.#startedAt)
  }

  get visitsOfRound(): number {
    return this.visits - this.visitsBefore
  }

  get saved(): SavedTally {
    const { elapsedMs, round, visits, visitsBefore, bytes, postponed, statuses, errors } = this
    const counts = { elapsedMs, round, visits, visitsBefore, bytes, postponed }
    return { ...counts, statuses: [...statuses], errors: [...errors] }
  }

  /** Goes on from the totals of an earlier run. */
  restore(saved: SavedTally): void {
    const { statuses, errors } = saved
    this.#elapsedBefore = saved.elapsedMs
    this.round = saved.round
    this.visits = saved.visits
    this.visitsBefore = saved.visitsBefore
    this.bytes = saved.bytes
    this.postponed = saved.postponed
    for (const [status, count] of statuses) this.statuses.set(status, count)
    for (const [code, count] of errors) this.errors.set(code, count)
  }

  beginRound(): void {
    this.round++
    this.visitsBefore = this.visits
  }

  /** Counts URLs that the shared seen set of a job knew. */
  addKnown(urls: number): void {
    this.known += urls
  }

  count(outcome: Outcome): void {
    if (outcome.type === 'postponed') {
      this.postponed++
      return
    }
    this.visits++
    if (outcome.error !== undefined) increment(this.errors, outcome.error)
    if (outcome.type === 'failed') return
    increment(this.statuses, outcome.status)
    this.bytes += outcome.bytes
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
