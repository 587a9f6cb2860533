import { setTimeout as sleep } from 'node:timers/promises'
import { countOf, formatSeconds } from '../../english-text.ts'
import { CrawlerError, DamageError } from '../../errors.ts'
import type { CommitBarrier } from '../../state/commit-barrier.ts'
import type { JoinedJob } from '../join-job.ts'
import { countOpen, sum } from '../partition-counts.ts'
import { Heartbeat } from './heartbeat.ts'
import { HostWaitLog } from './host-wait-log.ts'
import { JobProgress } from './job-progress.ts'
import { LeaseExchange, type PartitionRequest } from './lease-exchange.ts'
import { leaseTimes } from './lease-times.ts'
import type { LocalCrawl } from './local-crawl.ts'
import { ProgressMonitor } from './progress-monitor.ts'
import { RateExchange } from './rate-exchange.ts'
import { RollbackAwareQueue } from './rollback-aware-queue.ts'
import type { SharedFrontier } from './shared-frontier.ts'
import { SuspensionDetector } from './suspension-detector.ts'

/** Minimum milliseconds between two cycles. */
const GAP_MS = 10
/** Minimum milliseconds between two cycles while no host is leased. */
const IDLE_GAP_MS = 2
/** Maximum milliseconds for the last calls, which give everything back. Then the connections are closed. */
const LEAVE_MS = 5_000

/**
 * Exchanges URLs between the crawl of this process and the shared queue, in cycles. Each cycle pushes found URLs,
 * reports finished pages, and takes more URLs. A page is reported only after its record is durable and its links are
 * pushed, so nothing is lost if the process dies.
 */
export class Agent {
  readonly #crawl: LocalCrawl
  readonly #joined: JoinedJob
  readonly #frontier: SharedFrontier
  readonly #barrier: CommitBarrier
  readonly #exchange: LeaseExchange
  readonly #heartbeat: Heartbeat
  readonly #monitor: ProgressMonitor
  readonly #rates: RateExchange
  readonly #absence: SuspensionDetector
  readonly #progress = new JobProgress()
  readonly #hostWaits: HostWaitLog
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #wake = Promise.withResolvers<void>()
  #renewal: PromiseWithResolvers<void> | undefined
  /** The requests of the current cycle. Hosts that they give back are already released here. */
  #unsent: readonly PartitionRequest[] = []
  /** True if Redis came back with an older copy of the job, and the hosts are not returned yet. */
  #isRolledBack = false

  constructor(
    crawl: LocalCrawl,
    joined: JoinedJob,
    frontier: SharedFrontier,
    barrier: CommitBarrier,
  ) {
    const { agent, queue } = joined
    const { lease, logger } = crawl
    const progress = this.#progress
    this.#crawl = crawl
    this.#joined = joined
    this.#frontier = frontier
    this.#barrier = barrier
    const aware = new RollbackAwareQueue(queue, (visits) => this.#noteRollback(visits))
    this.#exchange = new LeaseExchange(aware, frontier, progress, agent, leaseTimes(lease))
    this.#heartbeat = new Heartbeat(crawl, joined, frontier, progress)
    this.#monitor = new ProgressMonitor(aware, frontier, progress, this.#heartbeat, lease)
    this.#rates = new RateExchange(queue, crawl.rates)
    this.#hostWaits = new HostWaitLog(logger, lease)
    this.#absence = new SuspensionDetector(frontier.leases.clock, leaseTimes(lease).ttl)
    frontier.onNews(() => this.#wake.resolve())
    barrier.setGuard(() => this.#awaitSafeLeases())
  }

  /** @param failed called with the error if the job can't continue */
  async start(failed: (error: unknown) => void): Promise<void> {
    await this.#heartbeat.beat()
    await this.#logJoin()
    const { signal } = this.#stopping
    if (signal.aborted) return
    this.#absence.watch()
    const running = [this.#repeat(), this.#heartbeat.run(signal), this.#rates.run(signal)]
    this.#running = Promise.all(running).then(
      () => {},
      async (error: unknown) => failed(await this.#cause(error)),
    )
  }

  /** Stops the cycles. Resolves when no call is running any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#absence.stop()
    this.#wake.resolve()
    this.#renewal?.resolve()
    await this.#closeUnlessSettled(this.#running)
  }

  /** Reports all finished pages, and gives all other URLs back. */
  async end(): Promise<void> {
    try {
      await this.#leave(async () => {
        const { queue } = this.#joined
        const found = this.#frontier.takeFound()
        const requests = this.#exchange.returnAll(performance.now())
        await Promise.all([this.#crawl.sync(), this.#exchange.push(found)])
        await this.#exchange.run(requests)
        await this.#exchange.push(queue.takeLostUrls())
        if (this.#frontier.isComplete) await queue.finish()
      })
    } catch (error) {
      this.#crawl.logger.warn(
        { err: error },
        'Could not leave the job; its leases expire by themselves',
      )
    }
  }

  /**
   * Gives all URLs back after a failure, so that other processes need not wait for the leases to expire. They fetch
   * pages again that are finished but not reported, since the records may be lost.
   */
  async giveUp(): Promise<void> {
    const requests = [...this.#unsent, ...this.#exchange.returnAll(performance.now())]
    // If the job itself is damaged, this fails, too. The crawl ends with the first error.
    const ignore = () => {}
    await this.#leave(() => this.#exchange.run(withoutFinished(requests)).catch(ignore)).catch(
      ignore,
    )
  }

  async #leave(giveBack: () => Promise<unknown>): Promise<void> {
    await this.#closeUnlessSettled(giveBack().then(() => this.#heartbeat.leave()))
  }

  /** Waits for calls. Closes the connections if they take too long, which ends them. */
  async #closeUnlessSettled(calls: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#joined.queue.close(), LEAVE_MS)
    await calls.finally(() => clearTimeout(timer))
  }

  /** Logs whether the job is new. A misspelled name creates a new job, and nothing else shows that mistake. */
  async #logJoin(): Promise<void> {
    const { queue } = this.#joined
    const views = await queue.viewPartitions()
    const others = this.#heartbeat.agents - 1
    const open = countOpen(views)
    const visits = sum(views.map((view) => view.visits))
    const isNew = others === 0 && views.every(({ added }) => added === 0)
    const counts = [
      countOf(others, 'other process', 'other processes'),
      countOf(visits, 'visit so far', 'visits so far'),
      countOf(open, 'URL unfinished', 'URLs unfinished'),
    ]
    const text = isNew
      ? `Began job ${queue.name}`
      : `Joined job ${queue.name}: ${counts.join(', ')}`
    this.#crawl.logger.info({ job: queue.name, others, visits, open }, text)
  }

  /**
   * Begins anew with what Redis hands out: it doesn't know newer URLs of this process any more. Workers report all links
   * again, since Redis has lost links, too.
   */
  #noteRollback(visits: number): void {
    const { logger, reportLinksAgain } = this.#crawl
    reportLinksAgain()
    this.#progress.restart()
    this.#isRolledBack = true
    const { isSpread, name: job } = this.#joined.queue
    const lost = countOf(visits, 'visit', 'visits')
    // A page on one server, whose links were lost on another, is not fetched again.
    const risk = isSpread ? ', and URLs are missing if that copy is more than 10 s old' : ''
    const message = `Redis came back with an older copy of job ${job}, without the last ${lost}: their pages are fetched again, and have two records${risk} (with appendonly yes, a restart loses nothing)`
    logger.warn({ job, visits }, message)
  }

  /**
   * Returns the cause of an error: if Redis lost all keys of the job, any of them may be missed first, which would look
   * like damage.
   */
  async #cause(error: unknown): Promise<unknown> {
    const isRefused = error instanceof CrawlerError && error.kind === 'redis'
    if (!isRefused && !(error instanceof DamageError)) return error
    try {
      await this.#heartbeat.beat()
      return error
    } catch (cause) {
      return cause
    }
  }

  /** Delays events while leases may have expired, until the agent knows which hosts it has lost. */
  #awaitSafeLeases(): Promise<void> | undefined {
    this.#absence.check()
    const isSafe = this.#frontier.leases.areSafe && !this.#absence.wasAbsent
    if (isSafe || this.#stopping.signal.aborted) return undefined
    this.#renewal ??= Promise.withResolvers()
    this.#wake.resolve()
    return this.#renewal.promise
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#cycle(performance.now())
      this.#barrier.pass(() => this.#crawl.pump())
      const isIdle = this.#frontier.leases.size === 0
      await sleep(isIdle ? IDLE_GAP_MS : GAP_MS, undefined, { signal }).catch(() => {})
      await this.#rest()
    }
  }

  /** Waits until there is something to exchange, a lease has to be renewed, or the job has to be checked. */
  async #rest(): Promise<void> {
    if (this.#exchange.canTake(this.#heartbeat)) return
    const due = Math.min(this.#monitor.dueAt - performance.now(), this.#exchange.renewalIn)
    if (due <= 0) return
    const timer = setTimeout(() => this.#wake.resolve(), due)
    await this.#wake.promise
    clearTimeout(timer)
  }

  async #cycle(now: number): Promise<void> {
    this.#wake = Promise.withResolvers()
    const renewal = this.#renewal
    const found = [...this.#frontier.takeFound(), ...this.#joined.queue.takeLostUrls()]
    const requests =
      this.#hostsToReturn(now) ?? this.#exchange.plan(this.#heartbeat, now, renewal !== undefined)
    this.#unsent = requests
    const reports = requests.flatMap(({ held }) => held)
    const isAnyDone = reports.some(({ done }) => done.length > 0)
    await Promise.all([isAnyDone ? this.#crawl.sync() : undefined, this.#exchange.push(found)])
    if (this.#heartbeat.hasNews) await this.#heartbeat.beat()
    const { taken, known } = await this.#exchange.run(requests)
    this.#unsent = []
    this.#crawl.totals.addKnown(known)
    if (taken > 0 || reports.some(({ release }) => release)) this.#monitor.checkSoon()
    await this.#monitor.check(now)
    if (!this.#frontier.isPaused) {
      this.#hostWaits.update(this.#frontier.leases.size, this.#progress.views, now)
    }
    renewal?.resolve()
    if (this.#renewal === renewal) this.#renewal = undefined
  }

  /** Returns requests that give all hosts back, if necessary. */
  #hostsToReturn(now: number): PartitionRequest[] | undefined {
    if (!this.#isRolledBack) return this.#returnAfterAbsence(now)
    this.#isRolledBack = false
    return this.#exchange.returnAll(now)
  }

  /** Returns requests that give all hosts back after a long absence: other processes may lease them now. */
  #returnAfterAbsence(now: number): PartitionRequest[] | undefined {
    this.#absence.check()
    const { size } = this.#frontier.leases
    const ms = this.#absence.take()
    if (ms === 0 || size === 0) return undefined
    const { ttl } = leaseTimes(this.#crawl.lease)
    this.#crawl.logger.warn(
      { ms, hosts: size },
      `This process was away for ${formatSeconds(ms)}, longer than its lease of ${formatSeconds(ttl)}: it returns all hosts that it had leased (${size}) before it continues`,
    )
    return this.#exchange.returnAll(now)
  }
}

function withoutFinished(requests: readonly PartitionRequest[]): PartitionRequest[] {
  return requests.map((request) => {
    return { ...request, held: request.held.map((report) => ({ ...report, done: [] })) }
  })
}
