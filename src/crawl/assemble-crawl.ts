import { SharedFrontier } from '../cluster/agent/shared-frontier.ts'
import { localConfig } from '../cluster/local-config.ts'
import { readLoginFile } from '../config/login-file.ts'
import { publishingHint } from '../config/signing-identity.ts'
import { openCookies } from '../cookies/cookie-file.ts'
import { temporaryDatabaseError } from '../database/temporary-database-error.ts'
import { DuplicateDetector } from '../duplicates/duplicate-detector.ts'
import { openFrontier } from '../frontier/open-frontier.ts'
import { FIXED_HASH_KEY } from '../hashing/half-siphash.ts'
import type { Logger } from '../logger.ts'
import { CrawlLogin } from '../login/crawl-login.ts'
import { withAgentName } from '../output/annotated-output.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import { CommitBarrier } from '../state/commit-barrier.ts'
import { temporaryStorage } from '../state/crawl-storage.ts'
import { stateError } from '../state/explain-state-error.ts'
import { VisitStore } from '../state/visit-store.ts'
import { restoreLedger } from './checkpoint/crawl-ledger.ts'
import { openCheckpointer } from './checkpoint/open-checkpointer.ts'
import { resume } from './checkpoint/resume.ts'
import { Coordinator } from './coordinator.ts'
import type { CrawlOutputs } from './crawl-outputs.ts'
import { Dispatcher } from './dispatcher.ts'
import { AddressLookups } from './dns/address-lookups.ts'
import { frontierOptions } from './frontier-options.ts'
import { LoadedResources } from './outcomes/loaded-resources.ts'
import { OutcomeApplier } from './outcomes/outcome-applier.ts'
import { OutcomeHandler } from './outcomes/outcome-handler.ts'
import { type SessionEvents, SessionKeeper } from './outcomes/session-keeper.ts'
import { PageRendering } from './rendering/page-rendering.ts'
import { RenderLearning } from './rendering/render-learning.ts'
import { RenderTally } from './rendering/render-tally.ts'
import { openSeeds } from './seeds/open-seeds.ts'
import type { SeedTracker } from './seeds/seed-tracker.ts'
import { Seeder } from './seeds/seeder.ts'
import { DecisionLog } from './stats/decision-log.ts'
import { GivenUpHosts } from './stats/given-up-hosts.ts'
import { RunningTotals } from './stats/running-totals.ts'
import { SkipLog } from './stats/skip-log.ts'
import { findWaits, Watchdog } from './stats/watchdog.ts'
import type { Tuning } from './tuning.ts'
import { WorkerEvents } from './worker-events.ts'
import { buildWorkerSetup } from './worker-pool/build-worker-setup.ts'
import { connectionSetup } from './worker-pool/connection-setup.ts'
import type { FittedConfig } from './worker-pool/fitted-config.ts'
import { SharedMemory } from './worker-pool/shared-memory.ts'
import { WorkerPool } from './worker-pool/worker-pool.ts'

/** The parts of one crawl. Only this file knows all of them. Each part declares the parts that it uses. */
type CrawlParts = ReturnType<typeof openParts>

/**
 * Opens the parts of a crawl and connects them, which starts the first worker.
 * @throws CrawlerError('usage') for an invalid seed, or a seen set that is too large
 */
export function assembleCrawl(
  config: FittedConfig,
  outputs: CrawlOutputs,
  logger: Logger,
  tuning: Tuning,
) {
  const parts = openParts(config, outputs, logger, tuning)
  try {
    return { ...parts, coordinator: connect(parts) }
  } catch (error) {
    parts.memory.close()
    parts.frontier.close()
    throw error
  }
}

/** Opens the parts that exist before the first worker, group by group. */
function openParts(given: FittedConfig, outputs: CrawlOutputs, logger: Logger, tuning: Tuning) {
  const basics = basicsOf(given, outputs, logger, tuning)
  const { config, directory } = basics
  // The groups that fail for wrong settings or files come first, while there is nothing to close.
  const seeding = openSeeds(basics)
  const access = openAccess(basics)
  const learning = config.render === 'never' ? undefined : new RenderLearning()
  const rendering = { learning, loaded: new LoadedResources() }
  const queue = openQueue(basics, seeding.seeds, learning)
  const records = openRecords(basics, outputs, queue.memory)
  const parts = { ...basics, ...seeding, ...access, ...rendering, ...queue, ...records }
  if (directory?.saved !== undefined) restoreLedger(parts, directory.saved.ledger)
  return parts
}

/** Returns the settings of a crawl, and what its caller has opened for it. */
function basicsOf(
  given: FittedConfig,
  { bodies, directory, isKnownExternal, job, linkGraph, screenshots }: CrawlOutputs,
  logger: Logger,
  tuning: Tuning,
) {
  const config = localConfig(given)
  const decisions = DecisionLog.open(logger)
  const opened = { bodies, directory, isKnownExternal, job, linkGraph, screenshots }
  return { ...opened, config, decisions, logger, tuning }
}

type Basics = ReturnType<typeof basicsOf>

/** Opens the parts that give access to sites: settings of connections, cookies and the login. */
function openAccess({ config, logger }: Basics) {
  const { cookies, cookieFile } = openCookies(config, (text) => logger.warn(text))
  const login = config.login === undefined ? undefined : new CrawlLogin(readLoginFile(config.login))
  const connection = connectionSetup(config)
  if (connection.signing !== undefined) logger.info(publishingHint(connection.signing))
  return { connection, cookieFile, cookies, login }
}

/** Opens the queue and the memory of known URLs and pages: those of this process, or its share of a job. */
function openQueue(basics: Basics, seeds: SeedTracker, learning: RenderLearning | undefined) {
  const { config, decisions, directory, job, tuning } = basics
  const options = frontierOptions(config, tuning, decisions)
  const store = directory ?? temporaryStorage(config.deterministic ? FIXED_HASH_KEY : undefined)
  const memory = new SharedMemory(config, store.hashKey, directory?.path)
  const sharedFrontier = job && new SharedFrontier(options, store, seeds, memory, learning)
  const frontier = sharedFrontier ?? openFrontier(options, store)
  const duplicates = DuplicateDetector.open(config, store, (id) => frontier.urlOf(id))
  return { duplicates, frontier, memory, sharedFrontier }
}

/** Opens the parts that record and count what the crawl does. */
function openRecords(basics: Basics, outputs: CrawlOutputs, memory: SharedMemory) {
  const { config, decisions, directory, job, logger } = basics
  return {
    givenUp: new GivenUpHosts(logger),
    output: job === undefined ? outputs.visits : withAgentName(outputs.visits, job.agent),
    renderTally: config.render === 'never' ? undefined : new RenderTally(logger),
    skips: new SkipLog(outputs.skipped, memory, decisions),
    tally: new RunningTotals(config.maxPages),
    visits: directory && new VisitStore(directory.database),
  }
}

/** Connects the parts, and starts the first worker. */
function connect(parts: CrawlParts): Coordinator {
  const { config, decisions, frontier, learning, logger, memory, output, skips, tuning } = parts
  // Parts call these after an event, when the pool and the coordinator exist.
  const steps = {
    announceHost: (url: string) => pool.broadcast({ type: 'widen', url }),
    fail: (error: unknown) => coordinator.fail(error),
    proceed: (visits: readonly Delivery[]) => coordinator.proceed(visits),
    pump: () => coordinator.pump(),
    stop: () => coordinator.stop(),
  }
  const barrier = new CommitBarrier(steps.fail)
  const seeder = new Seeder(parts)
  const session = openSession(parts, barrier, {
    broadcast: (message) => pool.broadcast(message),
    proceed: (counted) => steps.proceed(outcomes.release(counted)),
  })
  const applier = new OutcomeApplier(parts, steps.announceHost)
  const outcomes = new OutcomeHandler({ ...parts, applier, seeder, session })
  const rendering = learning && new PageRendering({ ...parts, barrier, learning }, steps)
  const events = new WorkerEvents({ ...parts, barrier, outcomes, rendering, seeder }, steps)
  const setup = (worker: number, owner: number) => ({ ...buildWorkerSetup(parts), worker, owner })
  // Hooks may take their time limit three times for a page: for its data, the JSON of its data, and its links.
  const stallLimit = 3 * config.hookTimeout + tuning.hookGrace
  const pool = new WorkerPool({ ...config, stallLimit }, frontier, setup, events, decisions)
  const lookups = new AddressLookups({ ...parts, barrier }, steps.pump)
  const isCongested = () => output.congested || skips.congested
  const waits = () => findWaits(frontier, pool, isCongested(), memory.rates)
  const linked = { ...parts, barrier, lookups, outcomes, pool, rendering, session }
  const coordinator: Coordinator = new Coordinator({
    ...linked,
    checkpointer: openCheckpointer(linked, steps),
    dispatcher: new Dispatcher({ ...linked, isCongested }),
    watchdog: new Watchdog(logger, tuning.silence, waits),
    // Workers may die meanwhile. The barrier holds the consequences back until all seeds are added.
    begin: (signal, openOutputs) =>
      barrier.during(() => begin({ ...parts, seeder, session }, openOutputs, signal)),
    close: () => close(parts),
    describeError: (error) => describeError(parts, error),
  })
  return coordinator
}

/** Returns the keeper of the session of `--login`; undefined without it. */
function openSession(
  parts: CrawlParts,
  barrier: CommitBarrier,
  events: SessionEvents,
): SessionKeeper | undefined {
  const { cookies, login } = parts
  if (login === undefined || cookies === undefined) return undefined
  return new SessionKeeper({ ...parts, barrier, cookies, login }, events)
}

/** Logs in, opens the outputs, and adds or restores the URLs. Resolves with false if the crawl was stopped meanwhile. */
async function begin(
  parts: CrawlParts & { readonly seeder: Seeder; readonly session: SessionKeeper | undefined },
  openOutputs: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { config, directory, seeder, session } = parts
  await session?.open(signal)
  if (signal.aborted) return false
  // Opening outputs removes the old content of files, so it comes after the login, which may fail.
  openOutputs()
  if (directory?.saved === undefined) return seeder.addSeeds(signal)
  if (!(await resume({ ...parts, directory }, directory.saved, signal))) return false
  return !config.force || seeder.addNewSeeds(signal)
}

async function close(parts: CrawlParts): Promise<void> {
  const { frontier, job, memory } = parts
  try {
    await closeOutputs(parts)
  } finally {
    memory.close()
    // After the outputs, since this releases the lock of the state directory.
    frontier.close()
    job?.close()
  }
}

async function closeOutputs(parts: CrawlParts): Promise<void> {
  try {
    await closeSkips(parts)
  } finally {
    await parts.output.close()
  }
}

async function closeSkips({ directory, frontier, job, skips }: CrawlParts): Promise<void> {
  try {
    // With a state directory or a job, a later run or another process fetches these URLs, so they are not skipped.
    if (directory === undefined && job === undefined) {
      await skips.addLeftOvers(frontier.unfinished, frontier.stored.leftOvers())
    }
  } finally {
    await skips.close()
  }
}

/** Returns an error in words for the user if stored data caused it. */
function describeError({ directory, job }: CrawlParts, error: unknown): unknown {
  if (directory !== undefined) return stateError(directory.path, error)
  return job === undefined ? temporaryDatabaseError(error) : job.describeError(error)
}
