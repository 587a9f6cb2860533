import { countOf } from '../../../english-text.ts'

/** The minimum speed of a body. */
export interface MinRate {
  readonly bytesPerSecond: number
  /** Milliseconds over which the speed is measured. */
  readonly over: number
}

/**
 * Watches the speed of a body, until the timer is cleared.
 * @param received returns the number of bytes received so far
 * @param pausedMs returns the milliseconds for which reading was paused so far
 * @param onSlow called with the reason when the body is too slow
 * @returns a timer for `clearInterval`
 */
export function watchRate(
  { bytesPerSecond, over }: MinRate,
  received: () => number,
  pausedMs: () => number,
  onSlow: (why: string) => void,
): NodeJS.Timeout {
  let before = received()
  let since = performance.now()
  let pausedBefore = pausedMs()
  return setInterval(() => {
    const now = performance.now()
    // If this thread was busy, it may not have read all received bytes yet.
    const isLate = now - since > 1.5 * over
    const isSlow = received() - before < (bytesPerSecond * over) / 1_000
    const wasPaused = pausedMs() !== pausedBefore
    before = received()
    since = now
    pausedBefore = pausedMs()
    if (isSlow && !isLate && !wasPaused)
      onSlow(`less than ${countOf(bytesPerSecond, 'byte')} a second for ${over} ms`)
  }, over)
}
