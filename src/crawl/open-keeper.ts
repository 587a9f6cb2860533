import { Agent, type AgentEvents } from '../cluster/agent/agent.ts'
import type { Gate } from '../runtime/event-barrier.ts'
import type { Output } from '../sinks/output.ts'
import type { Keeper } from './checkpoint/checkpointer.ts'
import { Checkpoints } from './checkpoint/checkpoints.ts'
import type { CrawlState } from './crawl-state.ts'

/** Who makes a crawl outlive its process; undefined where it doesn't. */
export function openKeeper(
  state: CrawlState,
  output: Output,
  gate: Gate,
  events: AgentEvents,
): Keeper | undefined {
  const { directory, joined, shared } = state
  if (directory !== undefined) return new Checkpoints(state, directory, output, gate)
  if (joined === undefined || shared === undefined) return undefined
  return new Agent(state, joined, shared, output, gate, events)
}
