/** A host that may not be requested yet. */
export interface Sleeper {
  readonly host: string
  /** When it may be requested, in milliseconds of the monotonic clock. */
  readonly until: number
  /** True if it has stopped answering, and is waited for. */
  readonly isAway: boolean
}

/** Hosts that have URLs and may not be requested yet. */
export interface Sleepers {
  readonly count: number
  /** The sleepers in memory, in no particular order. */
  readonly known: readonly Sleeper[]
}

/** Number of sleeping hosts that may be requested within a time. */
export interface HostWait {
  /** Seconds; infinite for all hosts. */
  readonly within: number
  readonly hosts: number
}

/** Bounds of the waits in seconds, from a short delay between requests to a long --max-retry-after. */
const WITHIN = [0.1, 1, 10, 60, 600, 3_600, Number.POSITIVE_INFINITY]

/** Counts sleeping hosts by their wait. The length of the result doesn't depend on the number of hosts. */
export function hostWaits({ count, known }: Sleepers, now: number): HostWait[] {
  const counts = WITHIN.map(() => 0)
  for (const { until } of known) {
    const place = WITHIN.findIndex((within) => until - now <= within * 1_000)
    counts[place] = (counts[place] ?? 0) + 1
  }
  let hosts = 0
  return WITHIN.map((within, place) => {
    hosts += counts[place] ?? 0
    return { within, hosts: within === Number.POSITIVE_INFINITY ? count : hosts }
  })
}

/** Returns the sleepers that wake first, at most `max` of them. */
export function earliestSleepers({ known }: Sleepers, max: number): Sleepers['known'] {
  return known.toSorted((a, b) => a.until - b.until).slice(0, max)
}
