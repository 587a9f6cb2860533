/** The longest delay that is learnt, in milliseconds. */
export const MAX_ADAPTIVE_DELAY_MS = 60_000

/** Requests that are to be under way at a host, on average. */
const TARGET_CONCURRENCY = 1

/**
 * A delay that follows the latency of a host, as Scrapy's AutoThrottle does: half-way to the latency
 * with each answer, at once when that is longer; failures come fast, so they never shorten it.
 */
export class Throttle {
  /** Milliseconds. */
  delay: number

  constructor(delay = 0) {
    this.delay = delay
  }

  /** @param least what the user or the host asks for */
  learn(latency: number, isFailure: boolean, least: number): void {
    const target = latency / TARGET_CONCURRENCY
    const nearer = Math.max(target, (this.delay + target) / 2)
    const next = Math.max(least, Math.min(nearer, MAX_ADAPTIVE_DELAY_MS))
    if (!isFailure || next > this.delay) this.delay = next
  }
}
