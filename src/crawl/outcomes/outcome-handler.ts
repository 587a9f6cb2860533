import type { SkipCause } from '../../frontier/action.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { HostReport } from '../../frontier/hosts/host-health.ts'
import type { ProbeReply } from '../../messages/from-worker.ts'
import type { Failed, Visited } from '../../messages/outcome.ts'
import { changeOf } from '../../records/content-version.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import type { RobotsRule } from '../../robots/parse.ts'
import type { Seeder } from '../seeds/seeder.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { WorkerDeath, WorkerOutcome } from '../worker-pool/pool-events.ts'
import { CrashSuspects } from './crash-suspects.ts'
import {
  ARRIVAL_ORDER,
  DeterministicOrder,
  type DeterministicOrderParts,
  type OutcomeOrder,
} from './deterministic-order.ts'
import { healthOnly, hostReport, pauseOnly } from './host-signals.ts'
import { OutageWatch, type OutageWatchParts } from './outage-watch.ts'
import type { OutcomeApplier } from './outcome-applier.ts'
import type { SessionKeeper } from './session-keeper.ts'
import { type QueuedSkipParts, skipQueuedUrl } from './skip-queued-url.ts'

interface OutcomeHandlerParts extends OutageWatchParts, QueuedSkipParts, DeterministicOrderParts {
  readonly applier: OutcomeApplier
  readonly frontier: OutageWatchParts['frontier'] &
    DeterministicOrderParts['frontier'] &
    Pick<Frontier, 'report' | 'retry'>
  readonly seeder: Pick<Seeder, 'addHeld'>
  /** Set with `--login`. */
  readonly session: SessionKeeper | undefined
  readonly skips: SkipLog
}

/**
 * Decides which outcomes count, and when. A failure may be due to a host that is away, a URL may have killed its
 * worker, and `--deterministic` requires one order. Each method that applies outcomes returns the records to write.
 */
export class OutcomeHandler {
  readonly #parts: OutcomeHandlerParts
  readonly #order: OutcomeOrder
  readonly #outages: OutageWatch
  readonly #suspects = new CrashSuspects()

  constructor(parts: OutcomeHandlerParts) {
    const { config, seeder } = parts
    this.#parts = parts
    this.#order = config.deterministic
      ? new DeterministicOrder(parts, () => seeder.addHeld())
      : ARRIVAL_ORDER
    this.#outages = new OutageWatch(parts)
  }

  /** Number of outcomes that are held back. */
  get held(): number {
    return this.#outages.held + (this.#parts.session?.held ?? 0)
  }

  /** Must be called when the frontier has the first URLs of a run. */
  begin(): void {
    this.#order.begin()
  }

  handle(outcomes: readonly WorkerOutcome[]): Delivery[] {
    const records: Delivery[] = []
    for (const each of outcomes) this.#handle(each, records)
    return records
  }

  probed(host: string, reply: ProbeReply): Delivery[] {
    return this.release(this.#outages.probed(host, reply))
  }

  /** Applies failures that were held back: those with these ids, or all. */
  countHeld(ids?: readonly number[]): Delivery[] {
    return this.release(this.#outages.take(ids))
  }

  /** Applies outcomes that were held back. Their hosts were released when they arrived. */
  release(held: readonly WorkerOutcome[]): Delivery[] {
    return held.flatMap((each) => {
      if (this.#handOver(each)) return []
      return this.#conclude(each, healthOnly(hostReport(each.outcome)))
    })
  }

  /** Returns whether a URL has to run in a worker of its own, since it may kill its worker. */
  runsAlone(id: number): boolean {
    return this.#suspects.runsAlone(id)
  }

  /** Retries the URLs of a worker that died, and gives up those that kill workers. */
  retryAfterDeath({ crawlUrls, error, wasReady }: WorkerDeath): Delivery[] {
    const { completion } = this.#parts.frontier
    if (!wasReady) {
      this.#retry(crawlUrls)
      return []
    }
    const { retry, held, guilty } = this.#suspects.judge(crawlUrls)
    // This releases the hosts of held URLs. Otherwise these would use up the requests of their host, and the suspect
    // that has to run next would wait forever.
    for (const { id } of held) completion.answeredEarly(id, { health: 'unsure' }, performance.now())
    this.#retry(retry)
    return guilty.flatMap((each) => this.giveUp(each, 'worker-died', error.message))
  }

  /** Gives up a URL that no worker could fetch. */
  giveUp(crawlUrl: CrawlUrl, code: ErrorCode, message: string): Delivery[] {
    const { applier, config } = this.#parts
    this.#clear(crawlUrl.id)
    const time = config.deterministic ? undefined : new Date().toISOString()
    const outcome = failedOutcome(crawlUrl, { code, message }, time)
    return this.#order.put(crawlUrl.id, () => applier.apply(crawlUrl, outcome))
  }

  /** Skips a URL that waited. @param rule the rule of robots.txt that decided, if one did */
  skip(crawlUrl: CrawlUrl, reason: SkipCause, rule?: RobotsRule): Delivery[] {
    this.#clear(crawlUrl.id)
    return this.#order.put(crawlUrl.id, () => this.#skip(crawlUrl, reason, rule))
  }

  #handle(urlOutcome: WorkerOutcome, records: Delivery[]): void {
    const { memory, session } = this.#parts
    const { crawlUrl, outcome } = urlOutcome
    // Skips are counted even if the outcome itself doesn't count: workers report each skipped URL only once.
    if (outcome.type === 'visited') memory.counters.addSkips(outcome.counts)
    this.#clear(crawlUrl.id)
    if (this.#handOver(urlOutcome)) return
    const { counts, released } = this.#outages.judge(urlOutcome)
    records.push(...this.release(released))
    if (!counts || session?.hold(urlOutcome) === true) return
    records.push(...this.#conclude(urlOutcome, hostReport(outcome)))
  }

  #skip(crawlUrl: CrawlUrl, reason: SkipCause, rule?: RobotsRule): Delivery[] {
    skipQueuedUrl(this.#parts, crawlUrl, reason, rule)
    return []
  }

  /** Applies an outcome if its host was leased to another process meanwhile. Returns whether it was. */
  #handOver({ crawlUrl, outcome }: WorkerOutcome): boolean {
    const { applier, frontier } = this.#parts
    if (!frontier.completion.isLost(crawlUrl.id)) return false
    applier.applyLost(crawlUrl, outcome)
    return true
  }

  #conclude({ crawlUrl, outcome }: WorkerOutcome, report: HostReport): Delivery[] {
    const { applier, config } = this.#parts
    if (config.deterministic && outcome.type !== 'postponed')
      return this.#inOrder(crawlUrl, outcome)
    // A rendered page released its host when it was fetched, and reported all but its health then.
    const { completion } = this.#parts.frontier
    this.#report(crawlUrl, completion.isAnswered(crawlUrl.id) ? healthOnly(report) : report)
    return applier.apply(crawlUrl, outcome)
  }

  /** Releases the host now, and applies the outcome after all outcomes that precede it. */
  #inOrder(crawlUrl: CrawlUrl, outcome: Visited | Failed): Delivery[] {
    const { applier, frontier } = this.#parts
    const { completion } = frontier
    const { id } = crawlUrl
    const report = hostReport(outcome)
    completion.answeredEarly(id, pauseOnly(report), performance.now())
    return this.#order.put(id, () => {
      if (completion.dropIfHostFailed(id, performance.now())) {
        return this.#skip(crawlUrl, 'host-failed')
      }
      if (completion.dropIfTrap(id, performance.now())) return this.#skip(crawlUrl, 'trap')
      this.#report(crawlUrl, healthOnly(report))
      return applier.apply(crawlUrl, outcome)
    })
  }

  #report({ id }: CrawlUrl, report: HostReport): void {
    const { frontier, givenUp } = this.#parts
    const host = frontier.report(id, report, performance.now())
    if (host !== undefined) givenUp.add(host)
  }

  /** Notes that a URL is done, so that the next suspect can run. */
  #clear(id: number): void {
    this.#retry(this.#suspects.clear(id))
  }

  #retry(crawlUrls: readonly CrawlUrl[]): void {
    const { frontier } = this.#parts
    for (const { id } of crawlUrls) {
      const isLost = frontier.completion.isLost(id)
      frontier.retry(id, undefined, performance.now())
      // Another process fetches the URL, so it will have no outcome here.
      if (isLost) this.#clear(id)
    }
  }
}

/** Returns the outcome of a URL that no worker could fetch. @param time of its record, as ISO 8601 */
function failedOutcome(
  { id, attempt, before }: CrawlUrl,
  error: { readonly code: ErrorCode; readonly message: string },
  time: string | undefined,
): Failed {
  const { code, message } = error
  // In all other cases, nothing was requested in this attempt.
  const attempts = code === 'worker-died' ? attempt : attempt - 1
  const change = before === undefined ? undefined : changeOf(before, undefined)
  const fields = { change, attempts, time, error }
  return { type: 'failed', id, fields, error: code, message }
}
