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

/** A host that has stopped answering, and is waited for. */
interface AwayHost {
  readonly host: string
  /** Milliseconds since it answered well. */
  readonly ms: number
  /** Milliseconds until it is asked again. */
  readonly nextMs: number
  /** URLs that wait. */
  readonly queued: number
}

/** Of the hosts that have something to do, some of those at either end. */
export interface BusyHosts {
  /** With the most requests in flight, then with the longest queue. */
  readonly busiest: readonly HostStats[]
  /** That take longest to answer. */
  readonly slowest: readonly HostStats[]
  /** That have stopped answering, longest ago. */
  readonly away: readonly AwayHost[]
}

/** A host, as far as it is told. */
interface Told {
  readonly stats: HostStats
  /** Whether it has stopped answering, and is waited for. */
  readonly isAwaited: boolean
  readonly availability: { failingFor(now: number): number }
  /** No request before that time, in milliseconds of the monotonic clock. */
  readonly load: { readonly record: { readonly notBefore: number } }
}

/** @param max how many of each */
export function busyHosts(hosts: Iterable<Told>, max: number, now: number): BusyHosts {
  const busiest: HostStats[] = []
  const slowest: HostStats[] = []
  const away: AwayHost[] = []
  for (const host of hosts) {
    const { stats } = host
    if (host.isAwaited) keep(away, awayHost(host, now), max, (a, b) => b.ms - a.ms)
    if (stats.inFlight === 0 && stats.queued === 0) continue
    keep(busiest, stats, max, (a, b) => b.inFlight - a.inFlight || b.queued - a.queued)
    if (stats.latency !== undefined) keep(slowest, stats, max, bySlowness)
  }
  return { busiest, slowest, away }
}

function awayHost({ stats, availability, load }: Told, now: number): AwayHost {
  const { host, queued } = stats
  const nextMs = Math.max(0, load.record.notBefore - now)
  return { host, ms: availability.failingFor(now), nextMs, queued }
}

function bySlowness(a: HostStats, b: HostStats): number {
  return (b.latency ?? 0) - (a.latency ?? 0)
}

/** Hosts may be many and are asked for often: only the first few are ever sorted. */
function keep<T>(best: T[], stats: T, max: number, order: (a: T, b: T) => number): void {
  const last = best.at(-1)
  if (best.length >= max && (last === undefined || order(stats, last) >= 0)) return
  best.push(stats)
  best.sort(order)
  best.length = Math.min(best.length, max)
}
