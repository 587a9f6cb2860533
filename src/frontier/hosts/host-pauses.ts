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
  #pause: Wait = { until: 0, reason: 'delay' }
  #retryAt = 0

  /** Notes a pause of the host. A shorter one than it already has changes nothing. */
  paused(until: number, reason: PauseReason): void {
    if (until > this.#pause.until) this.#pause = { until, reason }
  }

  /** Notes when a URL is due for another attempt. */
  postponed(until: number): void {
    this.#retryAt = Math.max(this.#retryAt, until)
  }

  /**
   * Returns the present wait; undefined if there is none.
   * @param hasRetries true if URLs wait for another attempt
   */
  at(now: number, hasRetries: boolean): Wait | undefined {
    if (this.#pause.until > now) return this.#pause
    return hasRetries && this.#retryAt > now ? { until: this.#retryAt, reason: 'retry' } : undefined
  }
}
