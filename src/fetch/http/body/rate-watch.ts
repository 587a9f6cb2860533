/** The least speed of a body. */
export interface MinRate {
  readonly bytesPerSecond: number
  /** Milliseconds over which the speed is measured. */
  readonly over: number
}

/**
 * Watches the speed of a body, until the timer is cleared.
 * @param received returns the bytes that have come
 * @param onSlow called with the reason when the body is too slow
 * @returns a timer for `clearInterval`
 */
export function watchRate(
  { bytesPerSecond, over }: MinRate,
  received: () => number,
  onSlow: (why: string) => void,
): NodeJS.Timeout {
  let before = received()
  let since = performance.now()
  return setInterval(() => {
    const now = performance.now()
    // When this thread was busy, what has come may not have been read yet.
    const isLate = now - since > 1.5 * over
    const isSlow = received() - before < (bytesPerSecond * over) / 1_000
    before = received()
    since = now
    if (isSlow && !isLate) onSlow(`less than ${bytesPerSecond} bytes a second for ${over} ms`)
  }, over)
}
