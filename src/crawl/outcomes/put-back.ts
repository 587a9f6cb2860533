import { defersSeenCheck, type SeenCheckSettings } from '../../config/defers-seen-check.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Counters } from '../../messages/counters.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { WorkerOutcome } from '../worker-pool/pool-events.ts'

/** The parts of the crawl that are changed by an outcome that doesn't count. */
interface PutBackParts {
  readonly config: SeenCheckSettings
  readonly frontier: Pick<Frontier, 'outages'>
  readonly memory: { readonly counters: Counters }
  readonly skips: SkipLog
  readonly tally: Pick<RunningTotals, 'addPostponed'>
}

/** Puts a URL back into its queue, since its outcome doesn't count: its host has failed, or the session was lost. */
export function putBack(parts: PutBackParts, { crawlUrl, outcome, worker }: WorkerOutcome): void {
  const { config, frontier, memory, skips, tally } = parts
  tally.addPostponed()
  // Workers list each skipped URL only once. If the main thread counts them, it does so when the retry is applied.
  if (outcome.type === 'visited' && !defersSeenCheck(config)) skips.writeCounted(outcome.skipped)
  // The worker has counted the outcome already.
  if (outcome.type === 'visited') memory.counters.add(worker, 'fetched', -1)
  if (outcome.type === 'failed') memory.counters.add(worker, 'failed', -1)
  frontier.outages.putBack(crawlUrl.id, performance.now())
}
