import type { RobotsFailure } from '../../wire/messages.ts'
import type { KnownRobots } from './host-store.ts'

/** Pauses before a robots.txt that can't be had is asked for again, in milliseconds. */
const SHORT_MS = [500, 1_000]
/** The longest of them. */
export const MAX_ROBOTS_PAUSE_MS = 900_000
const LONG_MS = [60_000, 300_000, MAX_ROBOTS_PAUSE_MS]
const PAUSES_MS = [...SHORT_MS, ...LONG_MS]

/**
 * How an origin is waited for whose robots.txt can't be had. Until then all of it is disallowed
 * (RFC 9309, 2.3.1.4). Short pauses, and those that the host asks for, are waited out; long ones only
 * as long as there is anything else to do.
 */
export class RobotsPatience {
  readonly failure: RobotsFailure
  /** When it is asked for again, in milliseconds of the monotonic clock. */
  readonly retryAt: number
  /** Not worth waiting for, when nothing else is left to do. */
  readonly isLong: boolean
  readonly #failures: number

  private constructor(failure: RobotsFailure, failures: number, retryAt: number, isLong: boolean) {
    this.failure = failure
    this.#failures = failures
    this.retryAt = retryAt
    this.isLong = isLong
  }

  /** As it was kept. */
  static kept(answer: RobotsFailure & { readonly failures: number }, retryAt: number) {
    const { failures, ...failure } = answer
    return new RobotsPatience(failure, failures, retryAt, isLong(failures, failure))
  }

  /** What is to be kept of it. */
  get record(): KnownRobots {
    return { answer: { ...this.failure, failures: this.#failures }, until: this.retryAt }
  }

  /** Undefined when it is not to be asked for again. */
  static after(
    before: RobotsPatience | undefined,
    failure: RobotsFailure,
    now: number,
  ): RobotsPatience | undefined {
    const { passing, retryAfter = 0 } = failure
    const failures = (before === undefined ? 0 : before.#failures) + 1
    const pause = PAUSES_MS[failures - 1]
    if (!passing || pause === undefined) return undefined
    const retryAt = now + Math.max(pause, retryAfter)
    return new RobotsPatience(failure, failures, retryAt, isLong(failures, failure))
  }
}

/** Pauses that the host asks for itself are short, unless it asks for too much. */
function isLong(failures: number, { retryAfter = 0, isExcessive }: RobotsFailure): boolean {
  if (isExcessive === true) return true
  return failures > SHORT_MS.length && (PAUSES_MS[failures - 1] ?? 0) > retryAfter
}
