import type { RobotsReply } from '../messages/messages.ts'
import type { Delivery } from '../records/delivery.ts'
import { EventBarrier } from '../runtime/event-barrier.ts'
import type { Output } from '../sinks/output.ts'
import { AddressLookups } from './addresses/address-lookups.ts'
import type { Checkpointer } from './checkpoint/checkpointer.ts'
import { resume } from './checkpoint/resume.ts'
import { close } from './close.ts'
import type { CrawlState } from './crawl-state.ts'
import { Dispatcher } from './dispatcher.ts'
import { type EndReason, endReason } from './end-reason.ts'
import { failureOf } from './failure.ts'
import { openKeeper } from './open-keeper.ts'
import { recoverClaims } from './outcomes/claim-recovery.ts'
import { OutcomeHandler } from './outcomes/outcome-handler.ts'
import { Seeder } from './seeds/seeder.ts'
import { waitsOf } from './stats/waits.ts'
import { Watchdog } from './stats/watchdog.ts'
import { HeapWarning } from './worker-pool/heap-warning.ts'
import { type WorkerDeath, WorkerPool } from './worker-pool/worker-pool.ts'
import { workerSetup } from './worker-pool/worker-setup.ts'

/** Timers can't be set for longer; waking up early does no harm. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Time that what is in flight has to come to its end when a crawl is stopped, in milliseconds. */
const DRAIN_MS = 7_000

/**
 * The loop between frontier and workers, on the main thread: it hands out what may be fetched,
 * takes in what was found, and passes the records on. It ends by exact counts, never by a timer.
 */
export class Coordinator {
  readonly #state: CrawlState
  readonly #output: Output
  readonly #heapWarning: HeapWarning
  readonly #pool: WorkerPool
  readonly #settlement: OutcomeHandler
  readonly #intake: Seeder
  readonly #lookUps: AddressLookups
  readonly #watchdog: Watchdog
  readonly #dispatch: Dispatcher
  readonly #ended = Promise.withResolvers<EndReason>()
  readonly #gate = new EventBarrier((error) => this.#fail(error))
  readonly #keeper: Checkpointer | undefined
  #ending: EndReason | undefined
  #timer: NodeJS.Timeout | undefined
  /** Ends the wait for what is in flight when a crawl is stopped. */
  #patience: NodeJS.Timeout | undefined

  constructor(state: CrawlState, output: Output) {
    this.#state = state
    this.#output = output
    this.#ended.promise.catch(() => {}) // `run` tells it, also when it goes wrong before that waits
    this.#heapWarning = new HeapWarning(state.logger)
    this.#pool = this.#startPool()
    this.#intake = new Seeder(state)
    const pump = () => this.#pump()
    const widened = (url: string) => this.#pool.broadcast({ type: 'widen', url })
    this.#settlement = new OutcomeHandler(state, { widened, alone: () => this.#intake.addHeld() })
    this.#lookUps = new AddressLookups(state, this.#gate, pump)
    this.#watchdog = new Watchdog(state.logger, state.tuning.silence, () =>
      waitsOf(state, this.#pool, output),
    )
    this.#dispatch = new Dispatcher(state, output, this.#pool, this.#settlement, this.#lookUps)
    this.#keeper = openKeeper(state, output, this.#gate, { pump, stop: () => this.stop(), widened })
    const events = {
      drained: () => this.#gate.pass(() => this.#pump()),
      closed: () => this.#ended.resolve('output-closed'),
      failed: (error: Error) => this.#fail(error),
    }
    output.open(events)
    state.skips.open(events)
  }

  /** URLs in the hands of each worker, from worker 1. */
  get loads(): readonly number[] {
    return this.#pool.loads
  }

  /** Crawls to the end; nothing is left running afterwards. */
  async run(): Promise<EndReason> {
    const { maxTime } = this.#state.config
    const stop = () => this.stop('max-time')
    const deadline = maxTime === undefined ? undefined : setTimeout(stop, maxTime)
    try {
      if (!(await this.#begin())) return this.#ending ?? 'stopped'
      const reason = await this.#ended.promise
      await this.#quiet()
      // Who doesn't read doesn't have what was written to him.
      if (reason !== 'output-closed') {
        await this.#output.finish()
        await this.#keeper?.end(reason)
      }
      return reason
    } catch (error) {
      throw failureOf(this.#state, error)
    } finally {
      clearTimeout(deadline)
      clearTimeout(this.#patience)
      await this.#quiet()
      await close(this.#state, this.#output)
    }
  }

  /** Lets what is in flight come to its end, and starts nothing new. */
  stop(reason: EndReason = 'stopped'): void {
    this.#ending ??= reason
    this.#patience ??= setTimeout(() => this.#ended.resolve(reason), DRAIN_MS)
    this.#gate.pass(() => this.#pump())
  }

  /** @returns false when the crawl was stopped before there was anything to do */
  async #begin(): Promise<boolean> {
    if (this.#state.directory?.saved === undefined) this.#intake.addSeeds()
    else if (!(await resume(this.#state, () => this.#ending !== undefined))) return false
    else if (this.#state.config.force) this.#intake.addNewSeeds()
    this.#settlement.begin()
    await this.#keeper?.start((error) => this.#fail(error))
    this.#gate.pass(() => this.#pump())
    return true
  }

  /** What has happened since the last commit must not become part of one. */
  #fail(error: unknown): void {
    this.#gate.shut()
    this.#ended.reject(error)
  }

  /** Nothing happens any more. */
  async #quiet(): Promise<void> {
    clearTimeout(this.#timer)
    this.#watchdog.stop()
    this.#lookUps.close()
    await this.#pool.close()
    await this.#keeper?.stop()
  }

  #startPool(): WorkerPool {
    const { config } = this.#state
    const setup = (worker: number, owner: number) => {
      return { ...workerSetup(this.#state), worker, owner }
    }
    return new WorkerPool(config.workers, config.concurrency, setup, {
      pass: (event) => this.#gate.pass(event),
      outcomes: (settled) => this.#continue(this.#settlement.settle(settled)),
      robots: (origin, reply) => this.#setRobots(origin, reply),
      probed: (host, reply) => this.#continue(this.#settlement.probed(host, reply)),
      cookies: ({ url, setCookies }) => this.#state.cookies?.take(url, setCookies),
      ready: (heapLimit) => this.#heapWarning.review(heapLimit),
      died: (death) => this.#bury(death),
      failed: (error) => this.#fail(error),
    })
  }

  #continue(visits: readonly Delivery[]): void {
    this.#watchdog.moved()
    if (visits.length > 0) this.#output.write(visits)
    this.#pump()
  }

  /** Hands out what may be handed out, or ends the crawl. */
  #pump(): void {
    clearTimeout(this.#timer)
    if (this.#ending === undefined) this.#dispatch.dispatch()
    const reason = this.#endReason()
    if (reason !== undefined) this.#ended.resolve(reason)
    else this.#sleep()
  }

  #setRobots(origin: string, reply: RobotsReply): void {
    const { frontier, scope, seeds } = this.#state
    this.#watchdog.moved()
    this.#intake.robotsRead(origin, reply)
    const isHasty = seeds.hasFallback(origin) || scope.isForeign(origin)
    frontier.setRobots(origin, reply, performance.now(), isHasty)
    this.#pump()
  }

  #bury(death: WorkerDeath): void {
    const { logger, memory } = this.#state
    const { crawlUrls, error } = death
    logger.warn({ err: error, urls: crawlUrls.length }, `A worker died: ${error.message}`)
    recoverClaims(this.#state, death)
    memory.release(death.owner)
    this.#continue(this.#settlement.runAgain(crawlUrls, error))
  }

  #endReason(): EndReason | undefined {
    if (this.#pool.inFlight > 0) return undefined
    return this.#ending ?? endReason(this.#state)
  }

  #sleep(): void {
    const { wakeAt } = this.#state.frontier
    if (this.#ending !== undefined || this.#dispatch.room <= 0 || wakeAt === undefined) return
    const wait = Math.ceil(Math.max(0, wakeAt - performance.now()))
    this.#timer = setTimeout(
      () => this.#gate.pass(() => this.#pump()),
      Math.min(wait, MAX_TIMER_MS),
    )
  }
}
