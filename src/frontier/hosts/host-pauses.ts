import type { PauseReason } from './politeness-options.ts'

/** Why a host has no request: a pause, or its URLs wait for another attempt. */
export type WaitReason = PauseReason | 'retry'

/** A time until which a host waits, in milliseconds of the monotonic clock, and why. */
interface Wait {
  readonly until: number
  readonly reason: WaitReason
}

/** Remembers why a host waits, to show it. */
export class HostPauses {
  #until = 0
  #reason: PauseReason = 'delay'
  #retryAt = 0

  /** Notes a pause of the host. A shorter one than it already has changes nothing. */
  paused(until: number, reason: PauseReason): void {
    if (until <= this.#until) return
    this.#until = until
    this.#reason = reason
  }

  /** Notes when a URL is due for another attempt; the first of several counts. */
  postponed(until: number, now: number): void {
    this.#retryAt = this.#retryAt > now ? Math.min(this.#retryAt, until) : until
  }

  /**
   * Returns the present wait; undefined if there is none.
   * @param hasRetries true if all that is left are URLs that wait for another attempt
   */
  at(now: number, hasRetries: boolean): Wait | undefined {
    if (this.#until > now) return { until: this.#until, reason: this.#reason }
    return hasRetries && this.#retryAt > now ? { until: this.#retryAt, reason: 'retry' } : undefined
  }
}
