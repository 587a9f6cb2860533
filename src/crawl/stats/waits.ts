import { earliest } from '../../frontier/politeness/host-waits.ts'
import type { Output } from '../../sinks/output.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { WorkerPool } from '../worker-pool/worker-pool.ts'
import type { Waits } from './watchdog.ts'

/** How many of each kind are named. */
const TOLD = 5

/** What a crawl waits for. */
export function waitsOf({ frontier, skips }: CrawlState, pool: WorkerPool, output: Output): Waits {
  const now = performance.now()
  const { sleepers } = frontier.hosts
  const first = earliest(sleepers, TOLD)
  return {
    ...pool.waits(TOLD, now),
    hosts: {
      count: sleepers.count,
      first: first.map(({ host, until, isAway }) => ({ host, ms: until - now, isAway })),
    },
    isCongested: output.congested || skips.congested,
  }
}
