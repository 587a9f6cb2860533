/** Factor by which the work is larger the second time. */
const TIMES = 32
const TRIES = 5
/** CPU milliseconds. Shorter times can't be measured. */
const LEAST = 0.5

/** Maximum growth that counts as linear on a busy machine. Quadratic growth is 32. */
export const SLACK = 8
/** Maximum growth that counts as constant on a busy machine. Constant time is 1/32. */
export const FLAT = SLACK / TIMES

/**
 * Returns how much faster than the amount of work its CPU time grows: 1 if it is linear, 32 if it is quadratic. Other
 * threads don't affect it; other processes do only through shared caches. It is measured again, up to a few times,
 * while the least result is too large.
 * @param work is run for this size and for 32 times of it
 * @param limit smallest result that is too large
 */
export async function growth(
  work: (size: number) => unknown,
  size: number,
  limit = SLACK,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= limit; tries++) {
    const once = Math.max(await cpuTime(work, size), LEAST)
    least = Math.min(least, (await cpuTime(work, size * TIMES)) / once / TIMES)
  }
  return least
}

/** Returns the CPU milliseconds of this thread. */
async function cpuTime(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.threadCpuUsage()
  await work(size)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
