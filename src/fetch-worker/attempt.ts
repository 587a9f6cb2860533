import type { Pause } from '../fetch/retry-after.ts'
import type { Attempt } from '../messages/messages.ts'

/**
 * Returns what an attempt shows about its host.
 * @param elapsed milliseconds
 * @param pause that the host asks for
 */
export function attemptOf(elapsed: number, pause?: Pause): Attempt {
  const ms = Math.round(elapsed)
  return pause === undefined ? { ms } : { ms, retryAfter: pause.retryAfter }
}
