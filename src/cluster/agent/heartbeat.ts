import { setTimeout as sleep } from 'node:timers/promises'
import { formatSeconds } from '../../english-text.ts'
import type { JobState, JobStatus } from '../job-queue.ts'
import type { JoinedJob } from '../join-job.ts'
import type { JobProgress } from './job-progress.ts'
import { leaseTimes } from './lease-times.ts'
import type { LocalCrawl } from './local-crawl.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Maximum milliseconds between two beats. */
const BEAT_MS = 1_000

/** Reports to the job that this process is alive, and applies the state of the job. */
export class Heartbeat {
  readonly #crawl: LocalCrawl
  readonly #joined: JoinedJob
  readonly #frontier: SharedFrontier
  readonly #progress: JobProgress
  /** Number of processes that take part in the job. */
  #agents = 1
  /** Number of processes that need hosts that others lease. */
  #hungry = 0
  /** Time of the next beat, in milliseconds of the monotonic clock. */
  #dueAt = 0
  #outageCount = 0
  #state: JobState = 'running'
  /** Time of the last pause, in milliseconds of the monotonic clock. */
  #pausedAt = 0
  /** URLs of the hosts that joined the scope and that this process or another has reported. */
  readonly #reported = new Set<string>()
  /**
   * Number of hosts that joined first and are all reported. They aren't checked again, since `hasNews` is read very
   * often.
   */
  #reportedPrefix = 0

  constructor(
    crawl: LocalCrawl,
    joined: JoinedJob,
    frontier: SharedFrontier,
    progress: JobProgress,
  ) {
    this.#crawl = crawl
    this.#joined = joined
    this.#frontier = frontier
    this.#progress = progress
    frontier.onSeed((url) => this.#admit(url))
  }

  /** Number of processes that take part in the job. */
  get agents(): number {
    return this.#agents
  }

  /** Number of hosts for each process if all processes lease equally many. */
  get share(): number {
    return this.#progress.shareOf(this.#agents)
  }

  /** True if processes need hosts that others lease. */
  get isAnyHungry(): boolean {
    return this.#hungry > 0
  }

  /** True if a host joined the scope and is not reported yet. It has to be reported before the page that led to it. */
  get hasNews(): boolean {
    return this.#unreported.length > 0
  }

  /**
   * Beats until the signal aborts. Beats don't wait for the agent's other calls, so a job can be stopped even while
   * those wait for a server.
   */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const pause = Math.max(0, this.#dueAt - performance.now())
      await sleep(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      if (performance.now() >= this.#dueAt) await this.beat()
    }
  }

  /** @throws CrawlerError('redis') when the job was deleted */
  async beat(): Promise<void> {
    await this.#beat(leaseTimes(this.#crawl.lease).ttl)
  }

  /** Reports that this process leaves the job. */
  async leave(): Promise<void> {
    await this.#beat(0)
  }

  get #unreported(): readonly string[] {
    const { scope } = this.#crawl
    return scope.joinedAfter(this.#reportedPrefix).filter((url) => !this.#reported.has(url))
  }

  async #beat(ttl: number): Promise<void> {
    const { queue, agent } = this.#joined
    const { lease, scope, seedHosts } = this.#crawl
    const { isHungry, isPaused, leases } = this.#frontier
    const { outageCount } = queue
    if (outageCount !== this.#outageCount) this.#reportAgain()
    this.#outageCount = outageCount
    const widened = this.#unreported
    const { joined } = scope
    const status = await queue.beat({
      ...{ agent, ttl, widened },
      isHungry: isHungry && !isPaused && leases.size < this.share,
      seedHosts: seedHosts.takeFindings(),
    })
    for (const url of widened) this.#reported.add(url)
    if (outageCount === this.#outageCount)
      this.#reportedPrefix = Math.max(this.#reportedPrefix, joined)
    this.#dueAt = performance.now() + Math.min(BEAT_MS, lease / 4)
    this.#apply(status)
  }

  /**
   * Makes this process report everything again, since a server that took the place of another may lack earlier reports.
   */
  #reportAgain(): void {
    this.#reported.clear()
    this.#reportedPrefix = 0
    this.#crawl.seedHosts.reportAgain()
  }

  /**
   * Adds the host of a seed's redirect to the scope. Another process found the redirect, and may not have reported it
   * yet, or may have died. Links of the page would be skipped.
   */
  #admit(url: string): void {
    const { announceHost, scope } = this.#crawl
    if (scope.admit(url)) announceHost(url)
  }

  #apply({ state, agents, hungry, widened, seedHosts }: JobStatus): void {
    this.#agents = Math.max(1, agents)
    this.#hungry = hungry
    this.#logState(state)
    this.#frontier.setPaused(state === 'paused')
    if (state === 'stopped') this.#crawl.stop()
    for (const finding of seedHosts) this.#crawl.seedHosts.addReported(finding)
    for (const url of widened) {
      if (this.#reported.has(url)) continue
      this.#reported.add(url)
      this.#crawl.scope.widen(url)
      this.#crawl.announceHost(url)
    }
  }

  /** Logs changes of the job's state that a user could mistake for a hang or a failure of this process. */
  #logState(state: JobState): void {
    if (state === this.#state) return
    const wasPaused = this.#state === 'paused'
    this.#state = state
    const { logger } = this.#crawl
    const { name: job } = this.#joined.queue
    if (state === 'paused') {
      this.#pausedAt = performance.now()
      const message = `Job ${job} is paused, so nothing is requested; crawl job resume ${job} continues it`
      logger.warn({ job }, message)
    } else if (state === 'stopped') {
      const message = `Job ${job} was stopped, so this process ends; crawl job resume ${job} lets processes join it again`
      logger.warn({ job }, message)
    } else if (wasPaused && state === 'running') {
      const ms = Math.round(performance.now() - this.#pausedAt)
      logger.info({ job, ms }, `Job ${job} continues, after ${formatSeconds(ms)}`)
    }
  }
}
