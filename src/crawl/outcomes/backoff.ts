/** Longest pause before the second attempt; it doubles with each further one, up to a minute. */
const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/**
 * Milliseconds before another attempt: exponential, with full jitter, so that URLs that failed
 * together don't come back together.
 * @param attempt the one that failed, from 1
 */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS)
}
