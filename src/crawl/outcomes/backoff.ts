/** Maximum pause before the second attempt, in milliseconds. It doubles with each further attempt. */
const FIRST_MS = 1_000
/** Maximum pause before any attempt, in milliseconds. */
const MAX_MS = 60_000

/**
 * Returns the milliseconds before the next attempt: exponential, with full jitter, so that URLs that failed together
 * are not retried together.
 * @param attempt number of the attempt that failed, from 1
 */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS)
}
