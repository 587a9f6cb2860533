import { setTimeout as sleep } from 'node:timers/promises'
import type { Checkpointer } from '../../crawl/checkpoint/checkpointer.ts'
import type { CrawlState } from '../../crawl/crawl-state.ts'
import type { EventBarrier } from '../../runtime/event-barrier.ts'
import type { Output } from '../../sinks/output.ts'
import type { JoinedJob } from '../join-job.ts'
import { AbsenceDetector } from './absence-detector.ts'
import { CompletionMonitor } from './completion-monitor.ts'
import { Heartbeat, type HeartbeatEvents } from './heartbeat.ts'
import { LeaseExchange, type PartitionRequest } from './lease-exchange.ts'
import { SafeDepth } from './safe-depth.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** What the agent tells the coordinator. */
export interface AgentEvents extends HeartbeatEvents {
  /** There may be something to hand out, or nothing any more. */
  pump(): void
}

/** Milliseconds between two cycles at least. */
const GAP_MS = 10
/** The same while no host is held. */
const IDLE_GAP_MS = 2
/** Time that giving everything back may take at the end. */
const FAREWELL_MS = 5_000

/**
 * Carries what goes between a process and its job, in cycles: what was found goes to the shared queue,
 * then finished pages are told to be so, then more is fetched. A page is told to be finished only when
 * its record is durable and what it found is enqueued, so a process that dies loses nothing.
 */
export class Agent implements Checkpointer {
  readonly #state: CrawlState
  readonly #joined: JoinedJob
  readonly #frontier: SharedFrontier
  readonly #output: Output
  readonly #gate: EventBarrier
  readonly #events: AgentEvents
  readonly #errands: LeaseExchange
  readonly #heartbeat: Heartbeat
  readonly #lookout: CompletionMonitor
  readonly #absence: AbsenceDetector
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #wake = Promise.withResolvers<void>()
  #renewed: PromiseWithResolvers<void> | undefined
  #renewAt = 0

  constructor(
    state: CrawlState,
    joined: JoinedJob,
    frontier: SharedFrontier,
    output: Output,
    gate: EventBarrier,
    events: AgentEvents,
  ) {
    const { partitions } = joined.job
    this.#state = state
    this.#joined = joined
    this.#frontier = frontier
    this.#output = output
    this.#gate = gate
    this.#events = events
    const horizon = new SafeDepth()
    const { lease } = state.config
    this.#errands = new LeaseExchange(partitions, frontier, horizon, joined.agent, lease)
    this.#heartbeat = new Heartbeat(state, joined, frontier, horizon, events)
    this.#lookout = new CompletionMonitor(partitions, frontier, horizon, this.#heartbeat)
    this.#absence = new AbsenceDetector(frontier.leases.clock, lease)
    frontier.onNews = () => this.#wake.resolve()
    gate.guard = () => this.#lateness()
  }

  async start(failed: (error: unknown) => void): Promise<void> {
    await this.#heartbeat.beat()
    this.#absence.watch()
    const beating = this.#heartbeat.run(this.#stopping.signal)
    this.#running = Promise.all([this.#repeat(), beating]).then(() => {}, failed)
  }

  /** Resolves when nothing goes on any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#absence.stop()
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
      const errands = this.#errands.giveBackAll(performance.now())
      await Promise.all([this.#sync(), this.#errands.push(found)])
      await this.#errands.run(errands)
      await this.#errands.push(this.#joined.job.partitions.takeLostUrls())
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
    this.#absence.check()
    const isSafe = this.#frontier.leases.areSafe && !this.#absence.wasAbsent
    if (isSafe || this.#stopping.signal.aborted) return undefined
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
    return this.#frontier.leases.size === 0
  }

  /** Until there is news, or it is time to renew the leases or to look around. */
  async #rest(): Promise<void> {
    const due = Math.min(this.#lookout.dueAt, this.#renewAt) - performance.now()
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
    const found = [...this.#frontier.takeFound(), ...partitions.takeLostUrls()]
    const errands = this.#giveBack(now) ?? this.#plan(isRenewal, now)
    const told = errands.flatMap(({ held }) => held)
    const isAnyDone = told.some(({ done }) => done.length > 0)
    await Promise.all([isAnyDone ? this.#sync() : undefined, this.#errands.push(found)])
    if (this.#heartbeat.hasNews) await this.#heartbeat.beat()
    const { taken, known } = await this.#errands.run(errands)
    this.#state.tally.known += known
    if (taken > 0 || told.some(({ release }) => release)) this.#lookout.checkSoon()
    await this.#lookout.check(now)
    renewed?.resolve()
    if (this.#renewed === renewed) this.#renewed = undefined
  }

  #plan(isRenewal: boolean, now: number): PartitionRequest[] {
    const { share, isAsked } = this.#heartbeat
    return this.#errands.plan(isRenewal, share, isAsked, now)
  }

  /** Gives all back when the process was away for so long that others may hold it by now. */
  #giveBack(now: number): PartitionRequest[] | undefined {
    this.#absence.check()
    const { size } = this.#frontier.leases
    const ms = this.#absence.take()
    if (ms === 0 || size === 0) return undefined
    const [away, lease] = [ms, this.#state.config.lease].map((each) => Math.round(each / 1_000))
    this.#state.logger.warn(
      { ms, hosts: size },
      `This process was away for ${away} s, longer than its lease of ${lease} s: it gives back all hosts that it held (${size}) before it goes on`,
    )
    return this.#errands.giveBackAll(now)
  }

  async #sync(): Promise<void> {
    await Promise.all([this.#output.sync(), this.#state.skips.sync()])
  }
}
