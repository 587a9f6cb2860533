let lastSecond = Number.NaN
/** The text of `lastSecond`, without the fraction. */
let upToSecond = ''

/**
 * Returns a time as ISO 8601 with milliseconds, in UTC. Formatting is slow, so the text of the last second is cached:
 * most calls are for the same second as the call before.
 * @param ms since 1970
 */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    upToSecond = new Date(1_000 * second).toISOString().slice(0, -'000Z'.length)
  }
  const fraction = ms - 1_000 * second
  return `${upToSecond}${fraction < 10 ? '00' : fraction < 100 ? '0' : ''}${fraction}Z`
}
