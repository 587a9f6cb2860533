import type { Pause } from '../fetch/retry-after.ts'
import type { Attempt } from '../messages/outcome.ts'

/**
 * Returns the duration of an attempt, and the pause that its host requested.
 * @param elapsed milliseconds
 * @param pause requested by the host
 */
export function attemptOf(elapsed: number, pause?: Pause): Attempt {
  const ms = Math.round(elapsed)
  return pause === undefined ? { ms } : { ms, retryAfter: pause.retryAfter }
}
