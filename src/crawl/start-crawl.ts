import type { JoinedJob } from '../cluster/join-job.ts'
import type { Config } from '../config/schema.ts'
import { writeCookies } from '../cookies/cookie-file.ts'
import type { BusyHosts } from '../frontier/politeness/host-stats.ts'
import { type HostWait, hostWaits } from '../frontier/politeness/host-waits.ts'
import type { Logger } from '../logger.ts'
import type { BodyFolder, LinkGraph } from '../records/delivery.ts'
import { HeapBound } from '../runtime/heap-limit.ts'
import { withAgentName } from '../sinks/annotated-output.ts'
import type { Output, Sink } from '../sinks/output.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { restoreLedger } from './checkpoint/save-ledger.ts'
import { Coordinator } from './coordinator.ts'
import { CrawlState } from './crawl-state.ts'
import { ProgressLog, type ShownElsewhere } from './stats/progress-log.ts'
import { readStats, type Stats, type Summary } from './stats/stats.ts'
import { TUNING, type Tuning } from './tuning.ts'
import { fitAddresses } from './worker-pool/fit-addresses.ts'
import { fitOpenFiles } from './worker-pool/fit-open-files.ts'

/** Bytes that the main thread's heap may take beyond its least. */
const HEAP_GROWTH = 24 * 2 ** 20

/** A crawl that runs. */
export interface RunningCrawl {
  /** Resolves when nothing is left to do; rejects with a CrawlerError when it can't go on. */
  readonly finished: Promise<Summary>
  /** Starts nothing new, and ends when what is in flight is done. */
  stop(): void
  stats(): Stats
  /** Hosts that have something to do: the busiest and the slowest, so many of each. */
  hosts(max: number): BusyHosts
  /** How many hosts wait, by how long. */
  hostWaits(): HostWait[]
}

/** Where a crawl writes to. */
export interface Outputs {
  readonly visits: Output
  /** What it is to be told of the links of pages, beside the records. */
  readonly linkGraph?: LinkGraph | undefined
  /** Where workers put bodies, for an output that takes them from there. */
  readonly bodies?: BodyFolder | undefined
  /** A line for each URL that was named and not fetched. */
  readonly skipped?: Sink
  /** What outlives the process; closed at the end. */
  readonly directory?: StateDirectory | undefined
  /** What a person sees elsewhere, so that the log need not hold it. */
  readonly shown?: ShownElsewhere
  /** The job that the process takes part in; left at the end. */
  readonly joined?: JoinedJob | undefined
}

/**
 * Starts a crawl.
 * @throws CrawlerError('usage') for a seed that is no URL, a seen set of impossible size, or with too few files or addresses
 */
export function startCrawl(
  config: Config,
  outputs: Outputs,
  logger: Logger,
  tuning: Tuning = TUNING,
): RunningCrawl {
  const fitted = fitAddresses(fitOpenFiles(config, logger), logger)
  const state = new CrawlState(fitted, logger, outputs, tuning)
  const saved = outputs.directory?.saved
  if (saved !== undefined) restoreLedger(state, saved.ledger)
  const { joined, shown, visits } = outputs
  const output = joined === undefined ? visits : withAgentName(visits, joined.agent)
  const coordinator = new Coordinator(state, output)
  const stats = () => readStats(state, coordinator.loads)
  const progress = new ProgressLog(logger, state.config, stats, shown)
  const finished = finish(state, coordinator, progress)
  const hosts = (max: number) => state.frontier.hosts.busy(max, performance.now())
  const waits = () => hostWaits(state.frontier.hosts.sleepers, performance.now())
  return { finished, stop: () => coordinator.stop(), stats, hosts, hostWaits: waits }
}

async function finish(
  state: CrawlState,
  coordinator: Coordinator,
  progress: ProgressLog,
): Promise<Summary> {
  const heap = new HeapBound(HEAP_GROWTH)
  try {
    const reason = await coordinator.run()
    const { answered: seedsAnswered, failures: seedFailures } = state.seeds
    const { traps } = state.frontier
    const givenUp = state.givenUp.saved
    const summary = { ...readStats(state), givenUp, traps, reason, seedsAnswered, seedFailures }
    progress.end(summary)
    return summary
  } finally {
    heap.stop()
    progress.stop()
    saveCookies(state)
  }
}

function saveCookies({ config, cookies }: CrawlState): void {
  if (cookies !== undefined && typeof config.cookies === 'string') {
    writeCookies(config.cookies, cookies)
  }
}
