import type { Frontier } from '../frontier/frontier.ts'
import type { Output, OutputEvents } from '../output/output.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import { MAX_TIMER_MS } from '../runtime/max-timer.ts'
import type { CommitBarrier } from '../state/commit-barrier.ts'
import type { Checkpointer } from './checkpoint/checkpointer.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { AddressLookups } from './dns/address-lookups.ts'
import type { OutcomeHandler } from './outcomes/outcome-handler.ts'
import type { RunningTotals } from './stats/running-totals.ts'
import type { EndReason } from './stats/stats.ts'
import type { Watchdog } from './stats/watchdog.ts'
import type { WorkerPool } from './worker-pool/worker-pool.ts'

/** Milliseconds for requests in flight to end after the crawl was stopped. */
const DRAIN_MS = 7_000

interface CoordinatorParts {
  readonly barrier: CommitBarrier
  /** Makes the crawl outlive its process; undefined without `--state` and without a job. */
  readonly checkpointer: Checkpointer | undefined
  readonly config: { readonly maxTime?: number | undefined }
  /** Set with `--cookies file`. */
  readonly cookieFile: { write(): void } | undefined
  readonly dispatcher: Dispatcher
  readonly frontier: Pick<Frontier, 'resources' | 'unfinished' | 'wakeAt'>
  readonly lookups: AddressLookups
  readonly outcomes: OutcomeHandler
  readonly output: Output
  readonly pool: WorkerPool
  /** Undefined without `--render`. */
  readonly rendering: { close(): Promise<void> } | undefined
  /** Undefined without `--login`. */
  readonly session: { close(): Promise<void> } | undefined
  readonly skips: { open(events: OutputEvents): void }
  readonly tally: Pick<RunningTotals, 'pagesLeft'>
  readonly watchdog: Watchdog
  /**
   * Logs in, calls `openOutputs`, and adds the seeds or resumes an earlier run. Resolves with false if the signal was
   * aborted meanwhile.
   */
  readonly begin: (signal: AbortSignal, openOutputs: () => void) => Promise<boolean>
  /** Closes outputs and stores. */
  readonly close: () => Promise<void>
  /** Returns an error in words for the user. */
  readonly describeError: (error: unknown) => unknown
}

/**
 * The loop between frontier and workers, on the main thread. It hands out URLs, handles outcomes, and writes records.
 * Unless it is stopped, it ends when exact counts show that no work is left, never by a timer.
 */
export class Coordinator {
  readonly #parts: CoordinatorParts
  readonly #ended = Promise.withResolvers<EndReason>()
  #ending: EndReason | undefined
  readonly #stopping = new AbortController()
  #hasBegun = false
  #isOutputClosed = false
  #isOver = false
  #wakeTimer: NodeJS.Timeout | undefined
  /** Ends the wait for requests in flight after a stop. */
  #drainTimer: NodeJS.Timeout | undefined

  constructor(parts: CoordinatorParts) {
    this.#parts = parts
    this.#ended.promise.catch(() => {}) // `run` reports it, also when it is rejected before `run` waits for it
  }

  /** Number of URLs that are assigned to each worker, from worker 1. */
  get loads(): readonly number[] {
    return this.#parts.pool.loads
  }

  /** True once outputs are opened. Nothing is written before. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Crawls to the end. Afterwards no thread or timer of the crawl runs any more. */
  async run(): Promise<EndReason> {
    const { config, describeError } = this.#parts
    const stop = () => this.stop('max-time')
    const deadline = config.maxTime === undefined ? undefined : setTimeout(stop, config.maxTime)
    const [crawled] = await Promise.allSettled([this.#crawl()])
    clearTimeout(deadline)
    const [closed] = await Promise.allSettled([this.#close()])
    // If both fail, the first failure is the cause: a full disk, for example, fails the crawl and keeps it from closing.
    if (crawled.status === 'rejected') throw describeError(crawled.reason)
    if (closed.status === 'rejected') throw describeError(closed.reason)
    return crawled.value
  }

  /** Lets requests in flight end, and hands out nothing further. Does nothing once the crawl is over. */
  stop(reason: EndReason = 'stopped'): void {
    if (this.#isOver) return
    this.#ending ??= reason
    this.#stopping.abort()
    this.#parts.pool.broadcast({ type: 'stop' })
    this.#drainTimer ??= setTimeout(() => this.#ended.resolve(reason), DRAIN_MS)
    const { barrier, pool } = this.#parts
    if (pool.inFlight > 0) this.#passPump()
    // Without requests in flight, nothing is awaited. Neither are responses that count only once Redis has replied: the
    // barrier may be held for as long as Redis is away.
    if (pool.inFlight === 0 || barrier.awaitsGuard) this.#ended.resolve(this.#ending)
  }

  /** Writes records, then calls `pump`. */
  proceed(visits: readonly Delivery[]): void {
    const { output, watchdog } = this.#parts
    watchdog.moved()
    if (visits.length > 0) output.write(visits)
    this.pump()
  }

  /** Hands out URLs, or ends the crawl. */
  pump(): void {
    clearTimeout(this.#wakeTimer)
    this.#parts.dispatcher.dispatchResources()
    if (this.#ending === undefined) this.#parts.dispatcher.dispatch()
    const reason = this.#endReason()
    if (reason !== undefined) this.#ended.resolve(reason)
    else this.#sleep()
  }

  /** Ends the crawl with an error. No commit follows, since events since the last commit may be incomplete. */
  fail(error: unknown): void {
    this.#parts.barrier.shut()
    this.#ended.reject(error)
  }

  /** @returns false if the crawl was stopped before it had begun */
  async #begin(): Promise<boolean> {
    const { begin, checkpointer, outcomes } = this.#parts
    if (!(await begin(this.#stopping.signal, () => this.#openOutputs()))) return false
    outcomes.begin()
    // While the server of a job is away, the job can't be joined. A stop or a failure ends that wait.
    const starting = checkpointer?.start((error) => this.fail(error))
    await Promise.race([starting, this.#ended.promise])
    this.#passPump()
    return true
  }

  #openOutputs(): void {
    const { checkpointer, output, skips } = this.#parts
    this.#hasBegun = true
    const events = {
      drained: () => this.#passPump(),
      closed: () => this.#noteClosedOutput(),
      failed: (error: Error) => this.fail(error),
    }
    output.open(events)
    // A later run can't complete what a reader has missed, so a kept crawl ends with the reader of this list, too.
    skips.open(checkpointer === undefined ? { ...events, closed: () => {} } : events)
  }

  /** Completes the outputs and commits the end. No end is committed if a reader has gone, since it lacks records. */
  async #finish(reason: EndReason): Promise<EndReason> {
    if (reason === 'output-closed') return reason
    const { checkpointer, cookieFile, output } = this.#parts
    await output.finish()
    // Before the commit: if this fails, the crawl can be run again. Without commits, cookies are written afterwards.
    if (checkpointer !== undefined) cookieFile?.write()
    if (!this.#isOutputClosed) await this.#endCheckpoints(reason)
    return this.#isOutputClosed && reason !== 'stopped' ? 'output-closed' : reason
  }

  async #endCheckpoints(reason: Exclude<EndReason, 'output-closed'>): Promise<void> {
    try {
      await this.#parts.checkpointer?.end(reason)
    } catch (error) {
      // The last records are written to a pipe before the commit. If its reader has gone, the commit fails.
      if (!this.#isOutputClosed) throw error
    }
  }

  #noteClosedOutput(): void {
    this.#isOutputClosed = true
    this.#ending ??= 'output-closed'
    this.#ended.resolve('output-closed')
  }

  #passPump(): void {
    this.#parts.barrier.pass(() => this.pump())
  }

  async #crawl(): Promise<EndReason> {
    if (!(await this.#begin())) return this.#ending ?? 'stopped'
    const reason = await this.#ended.promise
    await this.#stopAll()
    return this.#finish(reason)
  }

  /** Stops everything, and closes outputs and stores. */
  async #close(): Promise<void> {
    const { checkpointer, close } = this.#parts
    this.#isOver = true
    clearTimeout(this.#drainTimer)
    try {
      await this.#stopAll()
      await checkpointer?.close?.()
    } finally {
      await close()
    }
  }

  async #stopAll(): Promise<void> {
    const { checkpointer, lookups, pool, rendering, session, watchdog } = this.#parts
    clearTimeout(this.#wakeTimer)
    watchdog.stop()
    lookups.close()
    await Promise.all([pool.close(), rendering?.close(), session?.close()])
    await checkpointer?.stop()
  }

  /** Returns the reason for which the crawl ends now; undefined while it continues. */
  #endReason(): EndReason | undefined {
    const { frontier, pool, tally } = this.#parts
    if (pool.inFlight > 0) return undefined
    if (this.#ending !== undefined) return this.#ending
    if (frontier.unfinished === 0) return 'finished'
    return tally.pagesLeft <= 0 ? 'max-pages' : undefined
  }

  /** Time when the frontier can hand something out again; undefined if that depends on requests in flight. */
  get #wakeAt(): number | undefined {
    const { dispatcher, frontier } = this.#parts
    const isFull = this.#ending !== undefined || dispatcher.room <= 0
    const next = isFull ? undefined : frontier.wakeAt
    const forPages = frontier.resources.wakeAt
    return next === undefined || forPages === undefined
      ? (next ?? forPages)
      : Math.min(next, forPages)
  }

  #sleep(): void {
    const wakeAt = this.#wakeAt
    if (wakeAt === undefined) return
    // Waking up early does no harm.
    const pause = Math.ceil(Math.max(0, wakeAt - performance.now()))
    this.#wakeTimer = setTimeout(() => this.#passPump(), Math.min(pause, MAX_TIMER_MS))
  }
}
