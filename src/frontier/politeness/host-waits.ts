/** A host that may not be asked yet. */
export interface Sleeper {
  readonly host: string
  /** When it may be, in milliseconds of the monotonic clock. */
  readonly until: number
  /** It has stopped answering, and is waited for. */
  readonly isAway: boolean
}

/** Hosts that have something to do and may not be asked yet. */
export interface Sleepers {
  readonly count: number
  /** Those in memory, in no order. */
  readonly known: readonly Sleeper[]
}

/** The same, counted by when they may. */
export interface HostWait {
  /** Seconds; infinite for all of them. */
  readonly within: number
  /** Hosts that may be asked within that time. */
  readonly hosts: number
}

/** From one delay between two requests to what --max-retry-after may allow. */
const WITHIN = [0.1, 1, 10, 60, 600, 3_600, Number.POSITIVE_INFINITY]

/** However many hosts there are, the figures are as many as the limits. */
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

/** Some of them, the earliest first. */
export function earliest({ known }: Sleepers, max: number): Sleepers['known'] {
  return known.toSorted((a, b) => a.until - b.until).slice(0, max)
}
