import type { HostPauses, WaitReason } from './host-pauses.ts'
import type { WaitingUrls } from './waiting-urls.ts'

/** The load of a host. */
export interface HostStats {
  readonly host: string
  /** Pages that were requested, each once. */
  readonly pages: number
  /** URLs that wait. */
  readonly queued: number
  /** Requests in flight, those for robots.txt included. */
  readonly inFlight: number
  /** Smoothed duration of a request in milliseconds; absent before the first. */
  readonly latency?: number
}

/** A host that has stopped answering, and is waited for. */
interface AwayHost {
  readonly host: string
  /** Milliseconds since its last answer. */
  readonly ms: number
  /** Milliseconds until it is requested again. */
  readonly nextMs: number
  /** URLs that wait. */
  readonly queued: number
}

/** A host that gets no request for a time, since it paused or its URLs wait for another attempt. */
interface PausedHost {
  readonly host: string
  readonly reason: WaitReason
  /** Milliseconds until its next request. */
  readonly nextMs: number
}

/** Some of the hosts that have something to do. */
export interface BusyHosts {
  /** Hosts with the most requests in flight, then with the longest queues. */
  readonly busiest: readonly HostStats[]
  /** Hosts with the longest latencies. */
  readonly slowest: readonly HostStats[]
  /** Hosts that have stopped answering, the longest away first. */
  readonly away: readonly AwayHost[]
  /** Hosts that wait for something else, the longest wait first. */
  readonly paused: readonly PausedHost[]
}

/** The properties of a host that are displayed. */
interface ObservedHost {
  readonly stats: HostStats
  /** True if it has stopped answering, and is waited for. */
  readonly isAway: boolean
  readonly urls: Pick<WaitingUrls, 'hasUnsettled' | 'head' | 'hasUnsettledBefore'>
  readonly pauses: Pick<HostPauses, 'at'>
  readonly availability: { failingFor(now: number): number }
  /** No request before that time, in milliseconds of the monotonic clock. */
  readonly load: { readonly record: { readonly notBefore: number } }
}

/** Returns the busiest, the slowest, the unreachable and the pausing hosts, at most `max` of each. */
export function busyHosts(hosts: Iterable<ObservedHost>, max: number, now: number): BusyHosts {
  const busiest: HostStats[] = []
  const slowest: HostStats[] = []
  const away: AwayHost[] = []
  const paused: PausedHost[] = []
  for (const host of hosts) {
    const { stats } = host
    if (host.isAway) keep(away, awayHost(host, now), max, (a, b) => b.ms - a.ms)
    const waiting = pausedHost(host, now)
    if (waiting !== undefined) keep(paused, waiting, max, (a, b) => b.nextMs - a.nextMs)
    if (stats.inFlight === 0 && stats.queued === 0) continue
    keep(busiest, stats, max, (a, b) => b.inFlight - a.inFlight || b.queued - a.queued)
    if (stats.latency !== undefined) keep(slowest, stats, max, bySlowness)
  }
  return { busiest, slowest, away, paused }
}

/** Returns the wait of a host that has URLs and no request in flight; undefined for any other. */
function pausedHost(
  { stats, isAway, urls, pauses }: ObservedHost,
  now: number,
): PausedHost | undefined {
  const { host, inFlight, queued } = stats
  if (isAway || inFlight > 0 || (queued === 0 && !urls.hasUnsettled)) return undefined
  const { hasUnsettled, head } = urls
  const isRetryNext = hasUnsettled && (head === undefined || urls.hasUnsettledBefore(head))
  const present = pauses.at(now, isRetryNext)
  return present && { host, reason: present.reason, nextMs: present.until - now }
}

function awayHost({ stats, availability, load }: ObservedHost, now: number): AwayHost {
  const { host, queued } = stats
  const nextMs = Math.max(0, load.record.notBefore - now)
  return { host, ms: availability.failingFor(now), nextMs, queued }
}

function bySlowness(a: HostStats, b: HostStats): number {
  return (b.latency ?? 0) - (a.latency ?? 0)
}

/** Inserts an item if it is among the first `max`. There may be many hosts, so only a few are ever sorted. */
function keep<T>(best: T[], item: T, max: number, order: (a: T, b: T) => number): void {
  const last = best.at(-1)
  if (best.length >= max && (last === undefined || order(item, last) >= 0)) return
  best.push(item)
  best.sort(order)
  best.length = Math.min(best.length, max)
}
