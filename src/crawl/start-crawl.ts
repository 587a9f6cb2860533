import type { Config } from '../config/schema.ts'
import { messageOf } from '../errors.ts'
import type { BusyHosts } from '../frontier/hosts/host-stats.ts'
import { type HostWait, hostWaits } from '../frontier/hosts/sleepers.ts'
import type { Logger } from '../logger.ts'
import { HeapTrimmer } from '../runtime/heap-trimmer.ts'
import { MAIN_YOUNG_BYTES } from '../runtime/v8-memory-flags.ts'
import { assembleCrawl } from './assemble-crawl.ts'
import type { CrawlOutputs } from './crawl-outputs.ts'
import { MAX_REMEMBERED } from './seeds/seed-tracker.ts'
import { ProgressLog } from './stats/progress-log.ts'
import { readStats } from './stats/read-stats.ts'
import type { Stats, Summary } from './stats/stats.ts'
import { TUNING, type Tuning } from './tuning.ts'
import { fitAddressSpace } from './worker-pool/fit-address-space.ts'
import { fitOpenFiles } from './worker-pool/fit-open-files.ts'

/** A running crawl. */
export interface RunningCrawl {
  /** Resolves at the end of the crawl; rejects with a CrawlerError when it fails. */
  readonly finished: Promise<Summary>
  /** Returns true once outputs are opened. Nothing is written before. */
  hasBegun(): boolean
  /** Lets requests in flight end, and hands out nothing further. */
  stop(): void
  stats(): Stats
  /** Returns the busiest, the slowest, the unreachable and the pausing hosts, at most `max` of each. */
  hosts(max: number): BusyHosts
  /** Returns the number of hosts that wait, by the length of the wait. */
  hostWaits(): HostWait[]
}

/**
 * Starts a crawl.
 * @throws CrawlerError('usage') for an invalid seed, a seen set that is too large, or a limit of open files or of the
 *   address space that is too low
 */
export function startCrawl(
  config: Config,
  outputs: CrawlOutputs,
  logger: Logger,
  tuning: Tuning = TUNING,
): RunningCrawl {
  const fitted = fitAddressSpace(fitOpenFiles(config, logger), logger)
  const crawl = assembleCrawl(fitted, outputs, logger, tuning)
  const { coordinator, frontier } = crawl
  const stats = () => readStats(crawl, coordinator.loads)
  const progress = new ProgressLog(logger, crawl.config, stats, outputs.shown)
  return {
    finished: finish(crawl, progress, logger),
    hasBegun: () => coordinator.hasBegun,
    stop: () => coordinator.stop(),
    stats,
    hosts: (max) => frontier.hosts.busy(max, performance.now()),
    hostWaits: () => hostWaits(frontier.hosts.sleepers, performance.now()),
  }
}

type AssembledCrawl = ReturnType<typeof assembleCrawl>

/** Runs the crawl to its end, and writes its cookies. */
async function finish(
  crawl: AssembledCrawl,
  progress: ProgressLog,
  logger: Logger,
): Promise<Summary> {
  const summary = await runToEnd(crawl, progress).catch((error) => {
    try {
      crawl.cookieFile?.write()
    } catch (another) {
      // The crawl fails with its own error.
      logger.warn(messageOf(another))
    }
    throw error
  })
  crawl.cookieFile?.write()
  return summary
}

async function runToEnd(crawl: AssembledCrawl, progress: ProgressLog): Promise<Summary> {
  const heap = new HeapTrimmer(MAIN_YOUNG_BYTES)
  try {
    const summary = summarize(crawl, await crawl.coordinator.run())
    progress.end(summary, crawl.job?.name)
    return summary
  } finally {
    heap.stop()
    progress.stop()
  }
}

function summarize(crawl: AssembledCrawl, reason: Summary['reason']): Summary {
  const { errors: seedErrors, refusal } = crawl.seeds
  const { several: severalMatches } = crawl.memory.fieldMatches
  const { traps } = crawl.frontier
  const givenUp = crawl.givenUp.saved
  const rendering = crawl.renderTally?.counts
  const login = crawl.login?.counts
  // URLs whose requests were cut off wait again. In a job, Redis counts the waiting URLs.
  const waiting = crawl.job === undefined && { queued: crawl.frontier.unfinished }
  const stats = readStats(crawl)
  return {
    ...stats,
    ...waiting,
    givenUp,
    traps,
    reason,
    seedsAnswered: countSeedsAnswered(crawl),
    seedFailures: seedFailuresOf(crawl, reason, stats.visits),
    seedErrors,
    severalMatches,
    cutBodies: crawl.memory.counters.total('cut'),
    ...unmatchedIn(crawl),
    ...(refusal !== undefined && { seedRefusal: refusal }),
    ...(rendering !== undefined && { rendering }),
    ...(login !== undefined && { login }),
  }
}

/** Returns the settings that matched nothing; none of a resumed crawl or a job, whose other parts may have matches. */
function unmatchedIn({
  config,
  directory,
  job,
  memory,
  scope,
}: AssembledCrawl): Pick<Summary, 'unmatchedPatterns' | 'unmatchedFields' | 'unmatchedContent'> {
  if (directory?.saved !== undefined || job !== undefined) return {}
  const unmatchedPatterns = scope.unmatched
  if (config.dryRun) return { unmatchedPatterns }
  const unmatchedFields = memory.fieldMatches.unmatched
  const { content } = config
  const lacksContent = content !== undefined && memory.contentMatches.unmatched.length > 0
  return { unmatchedPatterns, unmatchedFields, ...(lacksContent && { unmatchedContent: content }) }
}

/** Returns some of the seeds that could not be fetched: the first seeds if `--max-time` passed without any visit. */
function seedFailuresOf(
  { job, seeds }: AssembledCrawl,
  reason: Summary['reason'],
  visits: number,
): Summary['seedFailures'] {
  // In a job, other processes may have visited the seeds.
  if (reason !== 'max-time' || visits > 0 || job !== undefined) return seeds.failures
  const why = 'no response before --max-time ended the crawl'
  return seeds.urls.slice(0, MAX_REMEMBERED).map((url) => ({ url, reason: why }))
}

/** Returns the number of seeds that were fetched: at least 1 if another process of the job has fetched one. */
function countSeedsAnswered({ seeds, sharedFrontier }: AssembledCrawl): number {
  const { answered, failures, urls } = seeds
  // A failed seed has one record, so further records are of pages that another seed led to.
  const isAnotherAnswered =
    failures.length < urls.length && (sharedFrontier?.visitsInJob ?? 0) > urls.length
  return isAnotherAnswered ? Math.max(1, answered) : answered
}
