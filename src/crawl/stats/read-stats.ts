import type { Frontier } from '../../frontier/frontier.ts'
import type { WorkerCounter } from '../../messages/counters.ts'
import { SKIP_REASONS } from '../../records/skip.ts'
import { residentMemory } from '../../runtime/process-limits.ts'
import { REWRITE_RULES } from '../../url/canonical-rules.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { RunningTotals } from './running-totals.ts'
import type { SkipLog } from './skip-log.ts'
import type { Stats, VisitCounts, WorkerStats } from './stats.ts'

/** The sources of the totals. */
interface TotalsSources {
  readonly config: { readonly workers: number }
  readonly memory: Pick<SharedMemory, 'counters'>
  readonly skips: Pick<SkipLog, 'counts'>
  readonly tally: RunningTotals
}

/** The sources of the statistics. */
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
      REWRITE_RULES.flatMap((rule) => nonZero(rule, total(sources, `merge:${rule}`))),
    ),
    ...(round !== undefined && { round }),
    rss: residentMemory(),
    seen: memory.seenStats,
    workers: readWorkers(sources, loads),
  }
}

/** Returns the counts of all rounds together. */
export function readTotals(sources: TotalsSources): VisitCounts {
  const { elapsedMs, visits, statuses, errors, failed, bytes, postponed: retries } = sources.tally
  return {
    elapsedMs,
    visits,
    failed,
    bytes,
    retries,
    statuses: Object.fromEntries(statuses),
    errors: Object.fromEntries(errors),
    skipped: readSkipped(sources),
  }
}

/** Returns the number of bodies that were needed in full, but are longer than `--max-body`. */
export function countCutBodies(sources: Pick<TotalsSources, 'config' | 'memory'>): number {
  return total(sources, 'cut')
}

function readWorkers(
  { config, memory, tally }: StatsSources,
  loads: readonly number[],
): WorkerStats[] {
  const { elapsedMs } = tally
  return Array.from({ length: config.workers }, (_, index) => {
    const worker = index + 1
    const read = (counter: 'setSize' | 'fetched' | 'failed') =>
      memory.counters.read(worker, counter)
    const [setSize, fetched, failed] = [read('setSize'), read('fetched'), read('failed')]
    return { worker, elapsedMs, setSize, fetched, failed, inFlight: loads[index] ?? 0 }
  })
}

function readSkipped(sources: TotalsSources): Record<string, number> {
  const { skips, tally } = sources
  const byReason = SKIP_REASONS.flatMap((reason) =>
    nonZero(reason, total(sources, `skip:${reason}`) + (skips.counts.get(reason) ?? 0)),
  )
  const duplicates = total(sources, 'duplicate') + tally.known
  return Object.fromEntries([...nonZero('duplicate', duplicates), ...byReason])
}

/** Returns the sum of a counter over all workers. */
function total(
  { config, memory }: Pick<TotalsSources, 'config' | 'memory'>,
  counter: WorkerCounter,
): number {
  let sum = 0
  for (let worker = 1; worker <= config.workers; worker++) {
    sum += memory.counters.read(worker, counter)
  }
  return sum
}

function nonZero(name: string, count: number): [string, number][] {
  return count > 0 ? [[name, count]] : []
}
