import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlState } from '../../crawl/crawl-state.ts'
import { CrawlerError } from '../../errors.ts'
import type { JoinedJob } from '../join-job.ts'
import type { Beat } from '../redis/redis-job-queue.ts'
import type { SafeDepth } from './safe-depth.ts'
import type { SharedFrontier } from './shared-frontier.ts'

export interface HeartbeatEvents {
  /** The job was stopped. */
  stop(): void
  /** Another process took the scope to a further host. */
  widened(url: string): void
}

/** Milliseconds between two beats, at most. */
const BEAT_MS = 1_000

/** Tells the job that this process is there, and heeds what the job wants of all. */
export class Heartbeat {
  readonly #state: CrawlState
  readonly #joined: JoinedJob
  readonly #frontier: SharedFrontier
  readonly #horizon: SafeDepth
  readonly #events: HeartbeatEvents
  /** How many processes there are, and how many of them ask for hosts that others hold. */
  #agents = 1
  #hungry = 0
  /** When the next beat is due, in milliseconds of the monotonic clock. */
  #dueAt = 0
  #breaks = 0
  /** Hosts in the scope that were told, or that others told. */
  readonly #told = new Set<string>()
  /** The first so many of the scope are all among them: they are asked about a hundred times a second. */
  #allTold = 0

  constructor(
    state: CrawlState,
    joined: JoinedJob,
    frontier: SharedFrontier,
    horizon: SafeDepth,
    events: HeartbeatEvents,
  ) {
    this.#state = state
    this.#joined = joined
    this.#frontier = frontier
    this.#horizon = horizon
    this.#events = events
  }

  /** Hosts that this process may hold: as many are left to each of the others. */
  get share(): number {
    return this.#horizon.shareOf(this.#agents)
  }

  /** Whether others ask for hosts. */
  get isAsked(): boolean {
    return this.#hungry > 0
  }

  /** What joined the scope has to be told before the page that led there. */
  get hasNews(): boolean {
    return this.#untold.length > 0
  }

  /** Beats until it is told to stop, while all else waits for a server, too: so a job can be stopped then. */
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
    await this.#beat(this.#state.config.lease)
  }

  /** The last beat. */
  async leave(): Promise<void> {
    await this.#beat(0)
  }

  get #untold(): readonly string[] {
    return this.#state.scope.joinedAfter(this.#allTold).filter((url) => !this.#told.has(url))
  }

  async #beat(ttl: number): Promise<void> {
    const { job, agent } = this.#joined
    const { config, scope, seeds, tally } = this.#state
    const { isHungry, isPaused, leases: tenancies } = this.#frontier
    const asks = isHungry && !isPaused && tenancies.size < this.share
    const doing = { visits: tally.visits, bytes: tally.bytes }
    const { breaks } = job
    if (breaks !== this.#breaks) this.#forgetTold()
    this.#breaks = breaks
    const widened = this.#untold
    const { joined } = scope
    const found = seeds.hosts.takeFindings()
    const beat = await job.beat(agent, ttl, doing, asks, widened, found)
    if (beat === undefined) {
      const message = `job ${job.name}: expected it to be there, but it was deleted, or Redis lost its data`
      throw new CrawlerError('redis', message)
    }
    for (const url of widened) this.#told.add(url)
    if (breaks === this.#breaks) this.#allTold = Math.max(this.#allTold, joined)
    this.#dueAt = performance.now() + Math.min(BEAT_MS, config.lease / 4)
    this.#heed(beat)
  }

  /** A server that took the place of another may know less. */
  #forgetTold(): void {
    this.#told.clear()
    this.#allTold = 0
    this.#state.seeds.hosts.retell()
  }

  #heed({ state, agents, hungry, widened, seedHosts = [] }: Beat): void {
    this.#agents = Math.max(1, agents)
    this.#hungry = hungry
    const wasPaused = this.#frontier.isPaused
    this.#frontier.isPaused = state === 'paused'
    if (wasPaused && state !== 'paused') this.#frontier.onNews()
    if (state === 'stopped') this.#events.stop()
    for (const finding of seedHosts) this.#state.seeds.hosts.keep(finding)
    for (const url of widened) {
      if (this.#told.has(url)) continue
      this.#told.add(url)
      this.#state.scope.widen(url)
      this.#events.widened(url)
    }
  }
}
