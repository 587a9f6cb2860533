import type { RobotsFailure } from '../../messages/messages.ts'
import type { KnownRobots, StoredRobotsFailure } from '../storage/stored-host.ts'
import { outagePause } from './outage-pause.ts'

/** Pauses before an unreachable robots.txt is requested again, in milliseconds. */
const SHORT_MS = [500, 1_000]
/** The longest pause before an unreachable robots.txt is requested again, in milliseconds. */
export const MAX_ROBOTS_PAUSE_MS = 900_000
const LONG_MS = [60_000, 300_000, MAX_ROBOTS_PAUSE_MS]
const PAUSES_MS = [...SHORT_MS, ...LONG_MS]

/**
 * The wait for an origin whose robots.txt is unreachable. Until the wait ends, all of the origin is disallowed
 * (RFC 9309, 2.3.1.4).
 * - Short pauses, and pauses that the host asks for, are waited out.
 * - Long pauses are waited out only while the crawl has other things to do.
 * - An origin that had answered before is waited for like any host that stops answering.
 */
export class RobotsRetry {
  readonly failure: RobotsFailure
  /** When to try again, in milliseconds of the monotonic clock. */
  readonly retryAt: number
  /** True if the crawl may end without trying again. */
  readonly isLong: boolean
  readonly #failures: number
  /** Time of the first failure. */
  readonly #since: number

  private constructor(
    failure: RobotsFailure,
    failures: number,
    since: number,
    retryAt: number,
    isLong: boolean,
  ) {
    this.failure = failure
    this.#failures = failures
    this.#since = since
    this.retryAt = retryAt
    this.isLong = isLong
  }

  /** Returns the wait that was stored. */
  static stored(answer: StoredRobotsFailure, retryAt: number) {
    const { failures, waited = 0, ...failure } = answer
    return new RobotsRetry(failure, failures, retryAt - waited, retryAt, isLong(failures, failure))
  }

  /** The values to store. */
  get record(): KnownRobots {
    const waited = Math.round(this.retryAt - this.#since)
    return { answer: { ...this.failure, failures: this.#failures, waited }, until: this.retryAt }
  }

  /**
   * Returns the wait after another failure.
   * @param patience milliseconds to wait for an origin that answered before; 0 if it never answered
   * @returns undefined if robots.txt is not requested again
   */
  static after(
    before: RobotsRetry | undefined,
    failure: RobotsFailure,
    now: number,
    patience: number,
  ): RobotsRetry | undefined {
    const { isTransient, retryAfter = 0 } = failure
    const failures = (before === undefined ? 0 : before.#failures) + 1
    const since = before === undefined ? now : before.#since
    const isAwaited = now - since < patience
    const pause = isAwaited ? outagePause(now - since, patience) : PAUSES_MS[failures - 1]
    if (!isTransient || pause === undefined) return undefined
    const retryAt = now + Math.max(pause, retryAfter)
    const isDormant = !isAwaited && isLong(failures, failure)
    return new RobotsRetry(failure, failures, since, retryAt, isDormant)
  }
}

/** Returns whether a pause is long. A pause that the host asks for is short, unless it exceeds --max-retry-after. */
function isLong(failures: number, { retryAfter = 0, isExcessive }: RobotsFailure): boolean {
  if (isExcessive === true) return true
  return failures > SHORT_MS.length && (PAUSES_MS[failures - 1] ?? 0) > retryAfter
}
