/** What a host is at. */
export interface HostStats {
  readonly host: string
  /** Pages that it was asked for, each once. */
  readonly pages: number
  /** URLs that wait. */
  readonly queued: number
  /** Requests, those for robots.txt included. */
  readonly inFlight: number
  /** Milliseconds that a request takes of late; absent before the first. */
  readonly latency?: number
}

/** Of the hosts that have something to do, some of those at either end. */
export interface BusyHosts {
  /** With the most requests in flight, then with the longest queue. */
  readonly busiest: readonly HostStats[]
  /** That take longest to answer. */
  readonly slowest: readonly HostStats[]
}

/** @param max how many of each */
export function busyHosts(hosts: Iterable<{ readonly stats: HostStats }>, max: number): BusyHosts {
  const busiest: HostStats[] = []
  const slowest: HostStats[] = []
  for (const { stats } of hosts) {
    if (stats.inFlight === 0 && stats.queued === 0) continue
    keep(busiest, stats, max, (a, b) => b.inFlight - a.inFlight || b.queued - a.queued)
    if (stats.latency !== undefined) keep(slowest, stats, max, bySlowness)
  }
  return { busiest, slowest }
}

function bySlowness(a: HostStats, b: HostStats): number {
  return (b.latency ?? 0) - (a.latency ?? 0)
}

/** Hosts may be many and are asked for often: only the first few are ever sorted. */
function keep(
  best: HostStats[],
  stats: HostStats,
  max: number,
  order: (a: HostStats, b: HostStats) => number,
): void {
  const last = best.at(-1)
  if (best.length >= max && (last === undefined || order(stats, last) >= 0)) return
  best.push(stats)
  best.sort(order)
  best.length = Math.min(best.length, max)
}
