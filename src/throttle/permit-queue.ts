// Hooks may replace the global function, as libraries that fake time do.
import { setTimeout } from 'node:timers'
import { MAX_TIMER_MS } from '../runtime/max-timer.ts'
import { monotonicTime } from './monotonic-time.ts'
import { RequestNotSent } from './request-not-sent.ts'
import type { SharedRate } from './shared-rate.ts'

interface Waiter {
  /** Start of the wait, in milliseconds of `monotonicTime`. */
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: RequestNotSent) => void
}

/** Passes the permits of a rate to the waiting callers of one thread, in order. */
export class PermitQueue {
  readonly #rate: SharedRate
  #waiters: Waiter[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(rate: SharedRate) {
    this.#rate = rate
  }

  /**
   * Resolves when a permit was taken for the caller.
   * @throws RequestNotSent once the queue is closed
   */
  take(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new RequestNotSent())
    return new Promise((resolve, reject) => {
      this.#waiters.push({ since: monotonicTime(), resolve, reject })
      if (this.#waiters.length === 1) this.#serve()
      else this.#rate.setWaiting(this.#waiters.length)
    })
  }

  /** Rejects all waiting and future callers with RequestNotSent. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#rate.setWaiting(0)
    for (const { reject } of this.#waiters.splice(0)) reject(new RequestNotSent())
  }

  #serve(): void {
    let retryAt: number | undefined
    let [first] = this.#waiters
    while (first !== undefined && retryAt === undefined) {
      const now = monotonicTime()
      retryAt = this.#rate.take(now, first.since)
      if (retryAt !== undefined) this.#wakeIn(retryAt - now)
      else {
        this.#waiters.shift()
        first.resolve()
        ;[first] = this.#waiters
      }
    }
    this.#rate.setWaiting(this.#waiters.length)
  }

  #wakeIn(ms: number): void {
    // A timer may fire a fraction of a millisecond early, which does no harm.
    this.#timer = setTimeout(() => this.#serve(), Math.min(Math.ceil(ms), MAX_TIMER_MS))
  }
}
