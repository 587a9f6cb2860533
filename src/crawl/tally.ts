import type { SavedTally } from '../state/ledger.ts'
import type { Outcome } from '../wire/messages.ts'

/** Running totals of a crawl. */
export class Tally {
  readonly #startedAt = performance.now()
  readonly statuses = new Map<number, number>()
  readonly errors = new Map<string, number>()
  /** Records written. */
  visits = 0
  /** Bytes of decoded bodies. */
  bytes = 0
  /** Attempts that will be made again. */
  postponed = 0
  /** Milliseconds that earlier runs took. */
  #elapsedBefore = 0

  /** Milliseconds, those of earlier runs included. */
  get elapsedMs(): number {
    return Math.round(this.#elapsedBefore + performance.now() - this.#startedAt)
  }

  get saved(): SavedTally {
    const { elapsedMs, visits, bytes, postponed, statuses, errors } = this
    return { elapsedMs, visits, bytes, postponed, statuses: [...statuses], errors: [...errors] }
  }

  /** Goes on from the totals of an earlier run. */
  restore({ elapsedMs, visits, bytes, postponed, statuses, errors }: SavedTally): void {
    this.#elapsedBefore = elapsedMs
    this.visits = visits
    this.bytes = bytes
    this.postponed = postponed
    for (const [status, count] of statuses) this.statuses.set(status, count)
    for (const [code, count] of errors) this.errors.set(code, count)
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
