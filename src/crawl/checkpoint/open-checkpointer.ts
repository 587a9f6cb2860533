import { JobMember } from '../../cluster/agent/job-member.ts'
import type { LocalCrawl } from '../../cluster/agent/local-crawl.ts'
import type { SharedFrontier } from '../../cluster/agent/shared-frontier.ts'
import type { JoinableJob } from '../../cluster/join-job.ts'
import type { Logger } from '../../logger.ts'
import type { Output } from '../../output/output.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { Checkpointer } from './checkpointer.ts'
import { LocalCheckpointer, type LocalCheckpointerParts } from './local-checkpointer.ts'

interface CheckpointerParts extends Omit<LocalCheckpointerParts, 'directory' | 'sync'> {
  readonly config: LocalCheckpointerParts['config'] & Pick<LocalCrawl, 'lease'>
  readonly directory: StateDirectory | undefined
  readonly job: JoinableJob | undefined
  readonly logger: Logger
  readonly output: Output
  /** The frontier of a process that takes part in `job`. */
  readonly sharedFrontier: SharedFrontier | undefined
}

/** Returns the checkpointer of the state directory or of the job; undefined if there is neither. */
export function openCheckpointer(
  parts: CheckpointerParts,
  { announceHost, pump, stop }: Pick<LocalCrawl, 'announceHost' | 'pump' | 'stop'>,
): Checkpointer | undefined {
  const { barrier, directory, job, output, sharedFrontier, skips } = parts
  const sync = async () => Object.assign({}, ...(await Promise.all([output.sync(), skips.sync()])))
  if (directory !== undefined) return new LocalCheckpointer({ ...parts, directory, sync })
  if (job === undefined || sharedFrontier === undefined) return undefined
  const { config, logger, memory, scope, seeds, tally } = parts
  const crawl = {
    ...{ announceHost, logger, pump, scope, stop, sync },
    lease: config.lease,
    rates: memory.rates,
    reportLinksAgain: () => memory.counters.renewSeen(),
    seedHosts: seeds.hosts,
    totals: tally,
  }
  return new JobMember(crawl, job, sharedFrontier, barrier)
}
