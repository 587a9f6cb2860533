import type { Outcome } from '../wire/messages.ts'

/** Running totals of a crawl. */
export class Tally {
  readonly startedAt = performance.now()
  readonly statuses = new Map<number, number>()
  readonly errors = new Map<string, number>()
  /** Records written. */
  visits = 0
  /** Bytes of decoded bodies. */
  bytes = 0
  /** Attempts that will be made again. */
  postponed = 0

  get elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt)
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
