import type { Frontier } from '../../frontier/frontier.ts'
import type { Counters } from '../../messages/counters.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { WorkerOutcome } from '../worker-pool/pool-events.ts'

/** The parts of the crawl in which an outcome that doesn't count leaves a trace. */
interface PutBackParts {
  readonly config: { readonly deterministic: boolean }
  readonly frontier: Pick<Frontier, 'outages'>
  readonly memory: { readonly counters: Counters }
  readonly skips: SkipLog
  readonly tally: Pick<RunningTotals, 'addPostponed'>
}

/** Returns a URL to its queue whose outcome doesn't count: its host has failed, or the session was lost. */
export function putBack(parts: PutBackParts, { crawlUrl, outcome, worker }: WorkerOutcome): void {
  const { config, frontier, memory, skips, tally } = parts
  tally.addPostponed()
  // The worker counts and lists them once; with `--deterministic` each page lists all of its links.
  if (outcome.type === 'visited' && !config.deterministic) skips.writeCounted(outcome.skipped)
  // The worker has counted it already.
  if (outcome.type === 'visited') memory.counters.add(worker, 'fetched', -1)
  if (outcome.type === 'failed') memory.counters.add(worker, 'failed', -1)
  frontier.outages.putBack(crawlUrl.id, performance.now())
}
