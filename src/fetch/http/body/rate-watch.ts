/** How fast a body has to come. */
export interface MinRate {
  readonly bytesPerSecond: number
  /** Milliseconds of the spans, one after another, over which that is looked at. */
  readonly over: number
}

/**
 * Looks whether a body comes fast enough, until it is stopped.
 * @param received gives the bytes that have come
 * @param onSlow is told why at the end of a span in which too few came
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
