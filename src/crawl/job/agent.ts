import { setTimeout as sleep } from 'node:timers/promises'
import { Horizon } from '../../frontier/shared/horizon.ts'
import type { SharedFrontier } from '../../frontier/shared/shared-frontier.ts'
import type { Output } from '../../output/output.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { Keeper } from '../durable/keeper.ts'
import type { Gate } from '../gate.ts'
import { Errands } from './errands.ts'
import { Heartbeat, type HeartbeatEvents } from './heartbeat.ts'
import type { JoinedJob } from './join-job.ts'

/** What the agent tells the coordinator. */
export interface AgentEvents extends HeartbeatEvents {
  /** There may be something to hand out, or nothing any more. */
  pump(): void
}

/** Milliseconds between two cycles at least. */
const GAP_MS = 10
/** The same while no host is held. */
const IDLE_GAP_MS = 2
/** Between two looks at all partitions while there is nothing to do, at most. */
const IDLE_MS = 100
/** The same while there is enough to do. */
const BUSY_MS = 1_000
/** Time that giving everything back may take at the end. */
const FAREWELL_MS = 5_000

/**
 * Carries what goes between a process and its job, in cycles: what was found goes to the shared queue,
 * then finished pages are told to be so, then more is fetched. A page is told to be finished only when
 * its record is durable and what it found is enqueued, so a process that dies loses nothing.
 */
export class Agent implements Keeper {
  readonly #state: CrawlState
  readonly #joined: JoinedJob
  readonly #frontier: SharedFrontier
  readonly #output: Output
  readonly #gate: Gate
  readonly #events: AgentEvents
  readonly #horizon: Horizon
  readonly #errands: Errands
  readonly #heartbeat: Heartbeat
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #wake = Promise.withResolvers<void>()
  #renewed: PromiseWithResolvers<void> | undefined
  #lookAt = 0
  #wasHungry = false
  #renewAt = 0
  #pauseMs = GAP_MS

  constructor(
    state: CrawlState,
    joined: JoinedJob,
    frontier: SharedFrontier,
    output: Output,
    gate: Gate,
    events: AgentEvents,
  ) {
    const { partitions } = joined.job
    this.#state = state
    this.#joined = joined
    this.#frontier = frontier
    this.#output = output
    this.#gate = gate
    this.#events = events
    this.#horizon = new Horizon()
    const { lease } = state.config
    this.#errands = new Errands(partitions, frontier, this.#horizon, joined.agent, lease)
    this.#heartbeat = new Heartbeat(state, joined, frontier, this.#horizon, events)
    frontier.onNews = () => this.#wake.resolve()
    gate.guard = () => this.#lateness()
  }

  async start(failed: (error: unknown) => void): Promise<void> {
    await this.#heartbeat.beat()
    const beating = this.#heartbeat.run(this.#stopping.signal)
    this.#running = Promise.all([this.#repeat(), beating]).then(() => {}, failed)
  }

  /** Resolves when nothing goes on any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.resolve()
    this.#renewed?.resolve()
    const timer = setTimeout(() => this.#joined.job.close(), FAREWELL_MS)
    await this.#running
    clearTimeout(timer)
  }

  /** Tells all that is finished, and gives the rest back. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#joined.job.close(), FAREWELL_MS)
    try {
      const found = this.#frontier.takeFound()
      const errands = this.#errands.farewell(performance.now())
      await Promise.all([this.#sync(), this.#errands.push(found)])
      await this.#errands.run(errands)
      await this.#errands.push(this.#joined.job.partitions.takeDoubtful())
      if (this.#frontier.isOver) await this.#joined.job.finish()
      await this.#heartbeat.leave()
    } catch (error) {
      // Leases end by themselves.
      this.#state.logger.warn({ err: error }, 'Could not take leave of the job')
    } finally {
      clearTimeout(timer)
    }
  }

  /** Nothing may pass that rests on leases which may have ended: what was lost has to be known first. */
  #lateness(): Promise<void> | undefined {
    if (performance.now() < this.#frontier.tenancies.safeUntil || this.#stopping.signal.aborted)
      return undefined
    this.#renewed ??= Promise.withResolvers()
    this.#wake.resolve()
    return this.#renewed.promise
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#cycle(performance.now())
      this.#gate.pass(() => this.#events.pump())
      await sleep(this.#isIdle ? IDLE_GAP_MS : GAP_MS, undefined, { signal }).catch(() => {})
      await this.#rest()
    }
  }

  get #isIdle(): boolean {
    return this.#frontier.tenancies.size === 0
  }

  /** Until there is news, or it is time to renew the leases or to look around. */
  async #rest(): Promise<void> {
    const due = Math.min(this.#lookAt, this.#renewAt) - performance.now()
    if (due <= 0) return
    const timer = setTimeout(() => this.#wake.resolve(), due)
    await this.#wake.promise
    clearTimeout(timer)
  }

  async #cycle(now: number): Promise<void> {
    this.#wake = Promise.withResolvers()
    const { lease } = this.#state.config
    const renewed = this.#renewed
    const isRenewal = now >= this.#renewAt || renewed !== undefined
    if (isRenewal) this.#renewAt = now + lease / 4
    const { partitions } = this.#joined.job
    const found = [...this.#frontier.takeFound(), ...partitions.takeDoubtful()]
    const { share, isAsked } = this.#heartbeat
    const errands = this.#errands.plan(isRenewal, share, isAsked, now)
    const told = errands.flatMap(({ held }) => held)
    const isAnyDone = told.some(({ done }) => done.length > 0)
    await Promise.all([isAnyDone ? this.#sync() : undefined, this.#errands.push(found)])
    if (this.#heartbeat.hasNews) await this.#heartbeat.beat()
    const { taken, known } = await this.#errands.run(errands)
    this.#state.tally.known += known
    const isHungry = this.#frontier.isHungry && !this.#wasHungry
    this.#wasHungry = this.#frontier.isHungry
    if (taken > 0 || isHungry || told.some(({ release }) => release)) this.#hurry()
    if (now >= this.#lookAt) await this.#look()
    renewed?.resolve()
    if (this.#renewed === renewed) this.#renewed = undefined
  }

  /** Sees how far the whole job is. */
  async #look(): Promise<void> {
    const { depth } = this.#horizon
    const { partitions } = this.#joined.job
    // At the end of a depth the second look is taken at once.
    for (let look = 1; look === 1 || (look === 2 && this.#horizon.isUnsure); look++) {
      const views = await partitions.look(depth)
      // What is missing there is enqueued first.
      if (partitions.isInDoubt) return
      this.#horizon.see(views)
    }
    const isNewDepth = this.#horizon.depth > depth
    // Whoever hands out URLs of a new depth has to know the scope that they lie in.
    if (isNewDepth) await this.#heartbeat.beat()
    this.#frontier.queued = this.#horizon.open
    this.#frontier.isOver ||= this.#horizon.isOver && !this.#frontier.hasNews
    this.#pauseMs = isNewDepth ? GAP_MS : Math.min(2 * this.#pauseMs, IDLE_MS)
    const pause = this.#frontier.isHungry ? this.#pauseMs : BUSY_MS
    this.#lookAt = isNewDepth ? 0 : performance.now() + pause
  }

  /** The job may have come to a new depth, or to its end. */
  #hurry(): void {
    this.#pauseMs = GAP_MS / 2
    this.#lookAt = 0
  }

  async #sync(): Promise<void> {
    await Promise.all([this.#output.sync(), this.#state.skips.sync()])
  }
}
