import type { WorkerCounter } from '../../messages/counters.ts'
import { SKIP_REASONS } from '../../records/skip.ts'
import type { SeenStats } from '../../seen/seen-set.ts'
import type { SavedGivenUp } from '../../state/ledger.ts'
import type { TrapExample } from '../../traps/trap-guard.ts'
import { CANONICAL_RULES } from '../../url/canonical-rules.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { EndReason } from '../end-reason.ts'
import type { SeedFailure } from '../seeds/seed-list.ts'

/** What one worker has done. */
export interface WorkerStats {
  /** Number of the worker, from 1. */
  readonly worker: number
  /** Milliseconds since the crawl began. */
  readonly elapsedMs: number
  /** URLs that it was the first to add to the seen set. */
  readonly setSize: number
  /** URLs that were answered. */
  readonly fetched: number
  /** URLs that were given up. */
  readonly failed: number
  /** URLs in its hands. */
  readonly inFlight: number
}

/** A crawl as it stands. */
export interface Stats {
  /** Milliseconds since the crawl began, all of its runs together. */
  readonly elapsedMs: number
  /** Records written. */
  readonly visits: number
  /** How many visits ended with each HTTP status. */
  readonly statuses: Readonly<Record<string, number>>
  /** How many visits ended with each error code. */
  readonly errors: Readonly<Record<string, number>>
  /** Bytes of decoded bodies. */
  readonly bytes: number
  /** URLs that wait. */
  readonly queued: number
  /** URLs in the hands of workers. */
  readonly inFlight: number
  /** Hosts of the URLs that were found. */
  readonly hosts: number
  /** Hosts that have stopped answering, and are waited for. */
  readonly hostsAway: number
  /** Attempts that were put off. */
  readonly retries: number
  /** How many URLs were named and not fetched, by reason; `duplicate` counts links and seeds. */
  readonly skipped: Readonly<Record<string, number>>
  /** How many URLs each rule of `--canonicalize` merged with others. */
  readonly merged: Readonly<Record<string, number>>
  /** Bytes of memory that the process holds. */
  readonly rss: number
  /** The seen set. */
  readonly seen: SeenStats
  /** What each worker has done. */
  readonly workers: readonly WorkerStats[]
}

/** How a crawl ended. */
export interface Summary extends Stats {
  /** Why the crawl ended. */
  readonly reason: EndReason
  /** Hosts that were given up: how many, how many of them had answered before, and the first few. */
  readonly givenUp: SavedGivenUp
  /** Path patterns whose URLs were dropped as traps. */
  readonly traps: readonly TrapExample[]
  /** Seeds that were answered. */
  readonly seedsAnswered: number
  /** Some of the seeds that could not be fetched. */
  readonly seedFailures: readonly SeedFailure[]
}

/** @param loads URLs in the hands of each worker; none at the end */
export function readStats(state: CrawlState, loads: readonly number[] = []): Stats {
  const { config, frontier, memory, tally } = state
  const { elapsedMs, visits, bytes, postponed: retries } = tally
  const workers = Array.from({ length: config.workers }, (_, index) => {
    const worker = index + 1
    const read = (counter: 'setSize' | 'fetched' | 'failed') =>
      memory.counters.read(worker, counter)
    const [setSize, fetched, failed] = [read('setSize'), read('fetched'), read('failed')]
    return { worker, elapsedMs, setSize, fetched, failed, inFlight: loads[index] ?? 0 }
  })
  return {
    elapsedMs,
    visits,
    statuses: Object.fromEntries(tally.statuses),
    errors: Object.fromEntries(tally.errors),
    bytes,
    queued: frontier.waiting,
    inFlight: loads.reduce((sum, load) => sum + load, 0),
    hosts: frontier.hosts.count,
    hostsAway: frontier.hosts.away,
    retries,
    skipped: skippedOf(state),
    merged: Object.fromEntries(
      CANONICAL_RULES.flatMap((rule) => nonZero(rule, total(state, `merge:${rule}`))),
    ),
    rss: process.memoryUsage.rss(),
    seen: memory.seenStats,
    workers,
  }
}

function skippedOf(state: CrawlState): Record<string, number> {
  const byReason = SKIP_REASONS.flatMap((reason) =>
    nonZero(reason, total(state, `skip:${reason}`) + (state.skips.counts.get(reason) ?? 0)),
  )
  const duplicates = total(state, 'duplicate') + state.tally.known
  return Object.fromEntries([...nonZero('duplicate', duplicates), ...byReason])
}

/** A counter summed over all workers. */
function total({ config, memory }: CrawlState, counter: WorkerCounter): number {
  let sum = 0
  for (let worker = 1; worker <= config.workers; worker++) {
    sum += memory.counters.read(worker, counter)
  }
  return sum
}

function nonZero(name: string, count: number): [string, number][] {
  return count > 0 ? [[name, count]] : []
}
