import { Agent } from '../cluster/agent/agent.ts'
import type { LocalCrawl } from '../cluster/agent/local-crawl.ts'
import type { EventBarrier } from '../runtime/event-barrier.ts'
import type { Output } from '../sinks/output.ts'
import type { Checkpointer } from './checkpoint/checkpointer.ts'
import { LocalCheckpointer } from './checkpoint/local-checkpointer.ts'
import type { CrawlState } from './crawl-state.ts'

/** Who makes a crawl outlive its process; undefined where it doesn't. */
export function openKeeper(
  state: CrawlState,
  output: Output,
  gate: EventBarrier,
  events: Pick<LocalCrawl, 'pump' | 'stop' | 'widened'>,
): Checkpointer | undefined {
  const { directory, joined, shared } = state
  if (directory !== undefined) return new LocalCheckpointer(state, directory, output, gate)
  if (joined === undefined || shared === undefined) return undefined
  const { config, logger, scope, seeds, skips, tally } = state
  const local: LocalCrawl = {
    ...{ lease: config.lease, logger, scope, totals: tally, seedHosts: seeds.hosts, ...events },
    sync: () => Promise.all([output.sync(), skips.sync()]),
  }
  return new Agent(local, joined, shared, gate)
}
