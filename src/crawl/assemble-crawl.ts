import { JobMember } from '../cluster/agent/job-member.ts'
import type { LocalCrawl } from '../cluster/agent/local-crawl.ts'
import { SharedFrontier } from '../cluster/agent/shared-frontier.ts'
import { localConfig } from '../cluster/shared-seen-options.ts'
import { defersSeenCheck } from '../config/defers-seen-check.ts'
import { readLoginFile } from '../config/login-file.ts'
import { openCookies } from '../cookies/cookie-file.ts'
import { temporaryDatabaseError } from '../database/temporary-database-error.ts'
import { DuplicateDetector } from '../duplicates/duplicate-detector.ts'
import { openFrontier } from '../frontier/open-frontier.ts'
import { FIXED_HASH_KEY } from '../hashing/half-siphash.ts'
import type { Logger } from '../logger.ts'
import { CrawlLogin } from '../login/crawl-login.ts'
import { withAgentName } from '../output/annotated-output.ts'
import { CommitBarrier } from '../runtime/commit-barrier.ts'
import { temporaryStorage } from '../state/crawl-storage.ts'
import { stateError } from '../state/explain-state-error.ts'
import { SeedHostStore } from '../state/seed-host-store.ts'
import { VisitStore } from '../state/visit-store.ts'
import { parseSeed } from '../url/seed.ts'
import type { Checkpointer } from './checkpoint/checkpointer.ts'
import { restoreLedger } from './checkpoint/crawl-state.ts'
import { LocalCheckpointer } from './checkpoint/local-checkpointer.ts'
import { resume } from './checkpoint/resume.ts'
import { Coordinator } from './coordinator.ts'
import type { CrawlOutputs } from './crawl-outputs.ts'
import { Dispatcher } from './dispatcher.ts'
import { AddressLookups } from './dns/address-lookups.ts'
import { frontierOptions } from './frontier-options.ts'
import { ARRIVAL_ORDER, DeterministicOrder } from './outcomes/deterministic-order.ts'
import { MainThreadSeenCheck } from './outcomes/main-thread-seen-check.ts'
import { OutageWatch } from './outcomes/outage-watch.ts'
import { OutcomeApplier } from './outcomes/outcome-applier.ts'
import { OutcomeHandler } from './outcomes/outcome-handler.ts'
import { QueuedUrlSkipper } from './outcomes/queued-url-skipper.ts'
import { type SessionEvents, SessionKeeper } from './outcomes/session-keeper.ts'
import { PageBudget } from './page-budget.ts'
import { LoadedResources } from './rendering/loaded-resources.ts'
import { PageRendering } from './rendering/page-rendering.ts'
import { RenderLearning } from './rendering/render-learning.ts'
import { CrawlScope } from './seeds/crawl-scope.ts'
import { ScopeHints } from './seeds/scope-hints.ts'
import { SeedOutcomes } from './seeds/seed-outcomes.ts'
import { SeedTracker } from './seeds/seed-tracker.ts'
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

function openParts(given: FittedConfig, outputs: CrawlOutputs, logger: Logger, tuning: Tuning) {
  const { directory, job, linkGraph, bodies } = outputs
  const config = localConfig(given)
  // The steps that fail for wrong settings or files come first, while there is nothing to close.
  const parsed = config.seeds.map((seed) => parseSeed(seed.reveal()))
  const seeds = new SeedTracker(parsed, config.seedsMayBePrivate)
  const { cookies, cookieFile } = openCookies(config, (text) => logger.warn(text))
  const login = config.login === undefined ? undefined : new CrawlLogin(readLoginFile(config.login))
  const connection = connectionSetup(config)
  const decisions = DecisionLog.open(logger)
  const options = frontierOptions(config, tuning, decisions)
  const store = directory ?? temporaryStorage(config.deterministic ? FIXED_HASH_KEY : undefined)
  const seedHostStore = directory && new SeedHostStore(directory.database)
  for (const finding of seedHostStore?.all() ?? []) seeds.hosts.addReported(finding)
  const scope = new CrawlScope(config, seeds.urls)
  const memory = new SharedMemory(config, store.hashKey, directory?.path)
  const learning = config.render === 'never' ? undefined : new RenderLearning()
  const sharedFrontier = job && new SharedFrontier(options, store, seeds, memory, learning)
  const frontier = sharedFrontier ?? openFrontier(options, store)
  const tally = new RunningTotals()
  const parts = {
    ...{ bodies, config, connection, decisions, directory, job, linkGraph, logger, tuning },
    ...{ frontier, learning, memory, scope, seeds, seedHostStore, sharedFrontier, tally },
    budget: new PageBudget(config.maxPages, tally),
    duplicates: DuplicateDetector.open(config, store, (id) => frontier.urlOf(id)),
    ...{ cookies, cookieFile, login },
    givenUp: new GivenUpHosts(logger),
    hints: new ScopeHints({ config, logger, seeds }),
    loaded: new LoadedResources(),
    output: job === undefined ? outputs.visits : withAgentName(outputs.visits, job.agent),
    skips: new SkipLog(outputs.skipped, memory, decisions),
    visits: directory && new VisitStore(directory.database),
  }
  if (directory?.saved !== undefined) restoreLedger(parts, directory.saved.ledger)
  return parts
}

function connect(parts: CrawlParts): Coordinator {
  const { config, decisions, frontier, logger, memory, output, skips, tuning } = parts
  const barrier = new CommitBarrier((error) => coordinator.fail(error))
  const pump = () => coordinator.pump()
  const announceHost = (url: string) => pool.broadcast({ type: 'widen', url })
  const seeder = new Seeder(parts)
  const session = openSession(parts, barrier, {
    broadcast: (message) => pool.broadcast(message),
    proceed: (counted) => coordinator.proceed(outcomes.release(counted)),
  })
  const outcomes = connectOutcomes(parts, seeder, announceHost, session)
  const rendering = openRendering(parts, barrier, {
    pump,
    fail: (error) => coordinator.fail(error),
  })
  const workerEvents = new WorkerEvents(
    { ...parts, barrier, outcomes, rendering, seeder },
    {
      proceed: (visits) => coordinator.proceed(visits),
      fail: (error) => coordinator.fail(error),
    },
  )
  const setup = (worker: number, owner: number) => ({ ...buildWorkerSetup(parts), worker, owner })
  // Hooks may take their time limit three times for a page: for its data, the JSON of its data, and its links.
  const stallLimit = 3 * config.hookTimeout + tuning.hookGrace
  const pool = new WorkerPool({ ...config, stallLimit }, frontier, setup, workerEvents, decisions)
  const lookups = new AddressLookups({ ...parts, barrier }, pump)
  const isCongested = () => output.congested || skips.congested
  const coordinator: Coordinator = new Coordinator({
    ...{ ...parts, barrier, lookups, outcomes, pool, rendering, session },
    checkpointer: openCheckpointer(parts, barrier, {
      ...{ pump, announceHost },
      stop: () => coordinator.stop(),
    }),
    dispatcher: new Dispatcher({ ...parts, isCongested, lookups, outcomes, pool, rendering }),
    watchdog: new Watchdog(logger, tuning.silence, () =>
      findWaits(frontier, pool, isCongested(), memory.rates),
    ),
    // Workers may die meanwhile. The barrier holds the consequences back until all seeds are added.
    begin: (signal, openOutputs) =>
      barrier.during(async () => {
        await session?.open(signal)
        if (signal.aborted) return false
        // Opening outputs removes the old content of files, so it comes after the login, which may fail.
        openOutputs()
        return begin(parts, seeder, signal)
      }),
    close: () => close(parts),
    describeError: (error) => describeError(parts, error),
  })
  return coordinator
}

function openRendering(
  parts: CrawlParts,
  barrier: CommitBarrier,
  events: { pump(): void; fail(error: Error): void },
): PageRendering | undefined {
  const { learning } = parts
  return learning && new PageRendering({ ...parts, barrier, learning }, events)
}

/** Returns the keeper of the session of `--login`; undefined without it. */
function openSession(
  parts: CrawlParts,
  barrier: CommitBarrier,
  events: Pick<SessionEvents, 'broadcast' | 'proceed'>,
): SessionKeeper | undefined {
  const { cookies, login } = parts
  if (login === undefined || cookies === undefined) return undefined
  const options = () => ({ ...buildWorkerSetup(parts), bodySlots: [] })
  return new SessionKeeper({ ...parts, barrier, cookies, login }, { ...events, options })
}

function connectOutcomes(
  parts: CrawlParts,
  seeder: Seeder,
  announceHost: (url: string) => void,
  session: SessionKeeper | undefined,
): OutcomeHandler {
  const { config, duplicates, learning, loaded, tuning } = parts
  const seenCheck = defersSeenCheck(config) ? new MainThreadSeenCheck(parts) : undefined
  const applier = new OutcomeApplier({
    ...parts,
    changes: [
      ...(duplicates === undefined ? [] : [duplicates.check.bind(duplicates)]),
      ...(seenCheck === undefined ? [] : [seenCheck.keepNew.bind(seenCheck)]),
      ...(learning === undefined
        ? []
        : [learning.learn.bind(learning), loaded.attach.bind(loaded)]),
    ],
    random: tuning.random,
    seedOutcomes: new SeedOutcomes(parts, announceHost),
  })
  const order = config.deterministic
    ? new DeterministicOrder(parts, () => seeder.addHeld())
    : ARRIVAL_ORDER
  const outages = new OutageWatch(parts)
  const unfetched = new QueuedUrlSkipper(parts)
  return new OutcomeHandler({ ...parts, applier, order, outages, session, unfetched })
}

/** Returns the checkpointer of the state directory or of the job; undefined if there is neither. */
function openCheckpointer(
  parts: CrawlParts,
  barrier: CommitBarrier,
  events: Pick<LocalCrawl, 'pump' | 'stop' | 'announceHost'>,
): Checkpointer | undefined {
  const { config, directory, job, output, sharedFrontier, skips } = parts
  const sync = async () => Object.assign({}, ...(await Promise.all([output.sync(), skips.sync()])))
  if (directory !== undefined) {
    return new LocalCheckpointer({ ...parts, barrier, directory, sync })
  }
  if (job === undefined || sharedFrontier === undefined) return undefined
  const { logger, memory, scope, seeds, tally } = parts
  const { rates } = memory
  const { lease } = config
  const crawl = {
    lease,
    logger,
    rates,
    scope,
    sync,
    seedHosts: seeds.hosts,
    totals: tally,
    ...events,
  }
  return new JobMember(crawl, job, sharedFrontier, barrier)
}

async function begin(parts: CrawlParts, seeder: Seeder, signal: AbortSignal): Promise<boolean> {
  const { config, directory } = parts
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
  const { directory, frontier, job, output, skips } = parts
  try {
    // With a state directory or a job, a later run or another process fetches these URLs, so they are not skipped.
    if (directory === undefined && job === undefined) {
      await skips.addLeftOvers(frontier.unfinished, frontier.snapshot.leftOvers())
    }
    await output.close()
  } finally {
    await skips.close()
  }
}

/** Returns an error in words for the user if stored data caused it. */
function describeError({ directory, job }: CrawlParts, error: unknown): unknown {
  if (directory !== undefined) return stateError(directory.path, error)
  return job === undefined ? temporaryDatabaseError(error) : job.describeError(error)
}
