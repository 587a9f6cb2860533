import { countOf } from '../../../english-text.ts'
/** The least speed of a body. */
export interface MinRate {
  readonly bytesPerSecond: number
  /** Milliseconds over which the speed is measured. */
  readonly over: number
}

/**
 * Watches the speed of a body, until the timer is cleared.
 * @param received returns the bytes that have come
 * @param pausedMs returns for how long reading was paused
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
    // When this thread was busy, what has come may not have been read yet.
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
