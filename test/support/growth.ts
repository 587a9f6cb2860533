/** How much more there is to do the second time. */
const TIMES = 32
const TRIES = 5
/** CPU milliseconds: less than this can't be measured. */
const LEAST = 0.5

/** What a busy machine may make of linear growth; square growth is 32. */
export const SLACK = 8
/** What a busy machine may make of no growth at all, which is 1/32. */
export const FLAT = SLACK / TIMES

/**
 * How much faster than the amount of work its CPU time grows: 1 when it is linear, 32 when it is square.
 * Other threads don't count, other processes only by the caches that are shared; the least of a few tries
 * is taken, as long as that is too much.
 * @param work is done for this size and for 32 times of it
 * @param limit is too much
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

/** Milliseconds of this thread. */
async function cpuTime(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.threadCpuUsage()
  await work(size)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
