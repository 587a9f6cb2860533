let lastSecond = Number.NaN
/** The time of that second, up to its fraction. */
let upToSecond = ''

/**
 * Returns a time as ISO 8601 with milliseconds, in UTC. Formatting is slow, and most calls are for the same second as
 * the one before.
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
