import type { PauseReason } from './politeness-options.ts'

/** The reason why a host gets no request: a pause, or its URLs wait for another attempt. */
export type WaitReason = PauseReason | 'retry'

/** The time until which a host waits, in milliseconds of the monotonic clock, and the reason. */
interface Wait {
  readonly until: number
  readonly reason: WaitReason
}

/** Remembers why a host waits, for display. */
export class HostPauses {
  #until = 0
  #reason: PauseReason = 'delay'
  #retryAt = 0

  /** Notes a pause of the host. It is ignored if the current pause ends later. */
  paused(until: number, reason: PauseReason): void {
    if (until <= this.#until) return
    this.#until = until
    this.#reason = reason
  }

  /** Notes when a URL is due for another attempt. The earliest of several times counts. */
  postponed(until: number, now: number): void {
    this.#retryAt = this.#retryAt > now ? Math.min(this.#retryAt, until) : until
  }

  /**
   * Returns the current wait; undefined if there is none.
   * @param hasRetries true if no URL of the host can be requested before another one is retried
   */
  at(now: number, hasRetries: boolean): Wait | undefined {
    if (this.#until > now) return { until: this.#until, reason: this.#reason }
    return hasRetries && this.#retryAt > now ? { until: this.#retryAt, reason: 'retry' } : undefined
  }
}
