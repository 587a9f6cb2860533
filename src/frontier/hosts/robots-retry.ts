import type { RobotsFailure } from '../../messages/from-worker.ts'
import type { KnownRobots, StoredRobotsFailure } from '../storage/stored-host.ts'
import { outagePause } from './outage-pause.ts'

/** Pauses before an unreachable robots.txt is requested again, in milliseconds. */
const SHORT_MS = [500, 1_000]
/** The longest pause before an unreachable robots.txt is requested again, in milliseconds. */
export const MAX_ROBOTS_PAUSE_MS = 900_000
const LONG_MS = [60_000, 300_000, MAX_ROBOTS_PAUSE_MS]
const PAUSES_MS = [...SHORT_MS, ...LONG_MS]

/** The further requests for an unreachable robots.txt: all of them, only those after short pauses, or none. */
export type AllowedRetries = 'all' | 'short' | 'none'

/**
 * The wait for an origin whose robots.txt is unreachable. Until the wait ends, all of the origin is disallowed
 * (RFC 9309, 2.3.1.4).
 * - Short pauses, and pauses that the host asks for, are waited out.
 * - Long pauses are waited out only while the crawl has other things to do.
 * - An origin that had answered before is waited for like any host that stops answering.
 */
export interface RobotsRetry {
  readonly failure: RobotsFailure
  /** Number of failures in a row. */
  readonly failures: number
  /** Time of the first failure. */
  readonly since: number
  /** When to try again, in milliseconds of the monotonic clock. */
  readonly retryAt: number
  /** True if the crawl may end without trying again. */
  readonly isLong: boolean
}

/** Returns the wait that was stored. */
export function storedRetry(answer: StoredRobotsFailure, retryAt: number): RobotsRetry {
  const { failures, waited = 0, ...failure } = answer
  const since = retryAt - waited
  return { failure, failures, since, retryAt, isLong: isLong(failures, failure) }
}

/** Returns the values to store. */
export function retryRecord({ failure, failures, since, retryAt }: RobotsRetry): KnownRobots {
  const waited = Math.round(retryAt - since)
  return { answer: { ...failure, failures, waited }, until: retryAt }
}

/**
 * Returns the wait after another failure.
 * @param patience milliseconds to wait for an origin that answered before; 0 if it never answered
 * @returns undefined if robots.txt is not requested again
 */
export function nextRetry(
  before: RobotsRetry | undefined,
  failure: RobotsFailure,
  now: number,
  patience: number,
): RobotsRetry | undefined {
  const { isTransient, retryAfter = 0 } = failure
  const failures = (before?.failures ?? 0) + 1
  const since = before?.since ?? now
  const isAwaited = now - since < patience
  const pause = isAwaited ? outagePause(now - since, patience) : PAUSES_MS[failures - 1]
  if (!isTransient || pause === undefined) return undefined
  const retryAt = now + Math.max(pause, retryAfter)
  return { failure, failures, since, retryAt, isLong: !isAwaited && isLong(failures, failure) }
}

/** Returns whether a pause is long. A pause that the host asks for is short, unless it exceeds --max-retry-after. */
function isLong(failures: number, { retryAfter = 0, isExcessive }: RobotsFailure): boolean {
  if (isExcessive === true) return true
  return failures > SHORT_MS.length && (PAUSES_MS[failures - 1] ?? 0) > retryAfter
}
