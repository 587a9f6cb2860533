/** The pauses between two requests to a host that refuses even single ones, in milliseconds. */
const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 10_000

/** Refused requests that lower the load. A single one may be the fault of its URL. */
const ENOUGH = 2

/** Accepted requests that make up for a refused one. */
const MAKE_UP = 16

/** Accepted requests after which the load grows: at first, and when it was too much each time. */
const MIN_TRIAL = 8
const MAX_TRIAL = 256

/** URLs that may be refused again before the load is no longer blamed, besides two for each that was accepted again. */
const MAX_FUTILE = 8

/**
 * Lowers the load of a host that refuses requests because they are too many: it limits its connections, or the rate of
 * requests. Each decrease halves the requests in flight, or doubles the pause after single ones. While the host accepts
 * all, the load grows in small steps, the more rarely the more often that was too much. If most of the refused URLs are
 * refused again later, the URLs are at fault, and the host gets its full load. Times are milliseconds of the monotonic
 * clock.
 */
export class OverloadControl {
  readonly #perHost: number
  #limit: number
  #pause = 0
  #refusals = 0
  #accepted = 0
  #trial = MIN_TRIAL
  /** True if the load has grown since it was lowered. */
  #hasGrown = false
  #loweredAt = Number.NEGATIVE_INFINITY
  /** Number of URLs that were refused again, less two for each that was accepted after a refusal. */
  #futile = 0

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
    return this.#limit < this.#perHost || this.#pause > 0
  }

  /**
   * Notes that the first request for a URL was refused.
   * @param delay current pause between two requests
   */
  refused(handedOutAt: number, now: number, delay: number): void {
    this.#accepted = 0
    const isLoweredSince = handedOutAt <= this.#loweredAt
    if (isLoweredSince || this.#futile >= MAX_FUTILE) return
    this.#refusals++
    if (this.#refusals < ENOUGH) return
    this.#refusals = 0
    this.#loweredAt = now
    if (this.#hasGrown) this.#trial = Math.min(MAX_TRIAL, 2 * this.#trial)
    this.#hasGrown = false
    if (delay > 0 || this.#limit === 1) {
      this.#limit = 1
      this.#pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * Math.max(delay, this.#pause)))
    } else this.#limit = Math.floor(this.#limit / 2)
  }

  /** Notes that a URL was refused again. */
  refusedAgain(): void {
    this.#futile++
    if (this.#futile < MAX_FUTILE) return
    this.#limit = this.#perHost
    this.#pause = 0
    this.#trial = MIN_TRIAL
  }

  /** Notes that a request was accepted. @param wasRefused true if the URL had been refused before */
  accepted(wasRefused: boolean): void {
    if (wasRefused) this.#futile = Math.max(-MAX_FUTILE, this.#futile - 2)
    if (this.#refusals > 0) this.#refusals = Math.max(0, this.#refusals - 1 / MAKE_UP)
    if (!this.isLowered) return
    this.#accepted++
    if (this.#accepted < this.#trial) return
    this.#accepted = 0
    this.#hasGrown = true
    if (this.#pause > 0) this.#pause = this.#pause < 2 * MIN_PAUSE_MS ? 0 : this.#pause / 2
    else this.#limit++
    if (!this.isLowered) this.#trial = MIN_TRIAL
  }
}
