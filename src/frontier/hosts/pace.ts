import type { LoadRecord } from '../storage/stored-host.ts'
import type { PolitenessOptions } from './politeness-options.ts'

/** The longest pause that is learned from latencies, in milliseconds. */
export const MAX_ADAPTIVE_DELAY_MS = 60_000

/**
 * The pause between two requests to a host, without the Crawl-delay of robots.txt. Durations are in milliseconds,
 * times are milliseconds of the monotonic clock.
 *
 * The adaptive pause follows the latency of the host, like that of Scrapy's AutoThrottle. Each response moves it
 * half-way to the latency, or all the way if the latency is longer. Failures are often fast, so they never shorten it.
 */
export class Pace {
  readonly #options: PolitenessOptions
  #adaptive: number
  #notBefore: number

  constructor(options: PolitenessOptions, { notBefore, pause }: Omit<LoadRecord, 'pages'>) {
    this.#options = options
    this.#notBefore = notBefore
    this.#adaptive = pause
  }

  /** Pause between two requests. */
  get delay(): number {
    return Math.max(this.#options.delay, this.#adaptive)
  }

  /** No request before this time. */
  get notBefore(): number {
    return this.#notBefore
  }

  /** The values to store. */
  get record(): Omit<LoadRecord, 'pages'> {
    return { notBefore: this.#notBefore, pause: this.#adaptive }
  }

  /** Allows no request before a time. */
  pauseUntil(until: number): void {
    this.#notBefore = Math.max(this.#notBefore, until)
  }

  /** Continues with the adaptive pause of another process. */
  resume(pause: number): void {
    this.#adaptive = pause
  }

  /** Adapts the pause to the duration of a request. */
  learn(latency: number, isFailure: boolean): void {
    const { adaptive, delay } = this.#options
    if (adaptive !== true) return
    const nearer = Math.max(latency, (this.#adaptive + latency) / 2)
    const next = Math.max(delay, Math.min(nearer, MAX_ADAPTIVE_DELAY_MS))
    if (!isFailure || next > this.#adaptive) this.#adaptive = next
  }
}
