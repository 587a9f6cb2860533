import type { Frontier } from '../../frontier/frontier.ts'
import { SKIP_REASONS } from '../../records/skip.ts'
import { residentMemory } from '../../runtime/process-limits.ts'
import { REWRITE_RULES } from '../../url/canonical-rules.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { RunningTotals } from './running-totals.ts'
import type { SkipLog } from './skip-log.ts'
import type { Stats, VisitCounts, WorkerStats } from './stats.ts'

interface TotalsSources {
  readonly memory: Pick<SharedMemory, 'counters'>
  readonly skips: Pick<SkipLog, 'counts'>
  readonly tally: RunningTotals
}

interface StatsSources extends TotalsSources {
  readonly frontier: Pick<Frontier, 'waiting' | 'hosts' | 'isPaused'>
  readonly memory: Pick<SharedMemory, 'counters' | 'seenStats'>
}

/**
 * Returns the statistics of a crawl.
 * @param loads number of URLs that are assigned to each worker; empty at the end of the crawl
 */
export function readStats(sources: StatsSources, loads: readonly number[] = []): Stats {
  const { frontier, memory, tally } = sources
  const totals = readTotals(sources)
  const { elapsedMs, visits, statuses, errors, failed, bytes, retries, skipped } = totals
  const { visitsOfRun } = tally
  const round = tally.partOfRound(totals)
  return {
    elapsedMs,
    visits,
    ...(visitsOfRun !== undefined && { visitsOfRun }),
    statuses,
    errors,
    failed,
    bytes,
    queued: frontier.waiting,
    inFlight: loads.reduce((sum, load) => sum + load, 0),
    hosts: frontier.hosts.count,
    hostsAway: frontier.hosts.away,
    ...(frontier.isPaused && { paused: true }),
    retries,
    skipped,
    merged: Object.fromEntries(
      REWRITE_RULES.flatMap((rule) => nonZero(rule, memory.counters.total(`merge:${rule}`))),
    ),
    ...(round !== undefined && { round }),
    rss: residentMemory(),
    seen: memory.seenStats,
    workers: readWorkers(sources, loads),
  }
}

/** Returns the counts of all rounds together. */
export function readTotals(sources: TotalsSources): VisitCounts {
  return { ...sources.tally.counts, skipped: readSkipped(sources) }
}

function readWorkers({ memory, tally }: StatsSources, loads: readonly number[]): WorkerStats[] {
  const { counters } = memory
  const { elapsedMs } = tally
  return counters.workers.map((worker, index) => ({
    worker,
    elapsedMs,
    setSize: counters.read(worker, 'setSize'),
    fetched: counters.read(worker, 'fetched'),
    failed: counters.read(worker, 'failed'),
    inFlight: loads[index] ?? 0,
  }))
}

function readSkipped({ memory, skips, tally }: TotalsSources): Record<string, number> {
  const { counters } = memory
  const byReason = SKIP_REASONS.flatMap((reason) =>
    nonZero(reason, counters.total(`skip:${reason}`) + (skips.counts.get(reason) ?? 0)),
  )
  const duplicates = counters.total('duplicate') + tally.known
  return Object.fromEntries([...nonZero('duplicate', duplicates), ...byReason])
}

function nonZero(name: string, count: number): [string, number][] {
  return count > 0 ? [[name, count]] : []
}
