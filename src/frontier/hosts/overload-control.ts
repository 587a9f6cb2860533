/** The pauses between two requests to a host that refuses even single ones, in milliseconds. */
const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 10_000

/** Refused requests that lower the load. A single one may be the fault of its URL. */
const ENOUGH = 2

/** Accepted requests that make up for a refused one. */
const MAKE_UP = 16

/** Accepted requests after which the load grows: at first, and after many refusals. */
const MIN_TRIAL = 8
const MAX_TRIAL = 256

/**
 * Lowers the load of a host that refuses requests because they are too many: it limits its connections, or the rate of
 * requests. Each decrease halves the requests in flight, or doubles the pause after single ones. While the host accepts
 * all, the load grows in small steps, the more rarely the more often it was too much. Times are milliseconds of the
 * monotonic clock.
 */
export class OverloadControl {
  readonly #perHost: number
  #limit: number
  #pause = 0
  #refusals = 0
  #accepted = 0
  #trial = MIN_TRIAL
  #loweredAt = Number.NEGATIVE_INFINITY

  /** @param perHost maximum requests in flight */
  constructor(perHost: number) {
    this.#perHost = this.#limit = perHost
  }

  /** Maximum requests in flight. */
  get limit(): number {
    return this.#limit
  }

  /** Pause between two requests, in milliseconds. */
  get pause(): number {
    return this.#pause
  }

  /** True unless the host gets as many requests as any other. */
  get isLowered(): boolean {
    return this.#limit < this.#perHost
  }

  /**
   * Notes that a request was refused.
   * @param delay current pause between two requests
   */
  refused(handedOutAt: number, now: number, delay: number): void {
    this.#accepted = 0
    // The load was lowered since.
    if (handedOutAt <= this.#loweredAt) return
    this.#refusals++
    if (this.#refusals < ENOUGH) return
    this.#refusals = 0
    this.#loweredAt = now
    this.#trial = Math.min(MAX_TRIAL, 2 * this.#trial)
    if (delay > 0 || this.#limit === 1) {
      this.#limit = 1
      this.#pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * Math.max(delay, this.#pause)))
    } else this.#limit = Math.floor(this.#limit / 2)
  }

  /** Notes that a request was accepted. */
  accepted(): void {
    if (this.#refusals > 0) this.#refusals = Math.max(0, this.#refusals - 1 / MAKE_UP)
    if (!this.isLowered) return
    this.#accepted++
    if (this.#accepted < this.#trial) return
    this.#accepted = 0
    if (this.#pause > 0) this.#pause = this.#pause < 2 * MIN_PAUSE_MS ? 0 : this.#pause / 2
    else this.#limit++
    if (!this.isLowered) this.#trial = MIN_TRIAL
  }
}
