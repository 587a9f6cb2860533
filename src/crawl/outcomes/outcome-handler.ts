import { DuplicateDetector, testsSeenLate } from '../../duplicates/duplicate-detector.ts'
import type { SkipCause } from '../../frontier/action.ts'
import type { HostReport } from '../../frontier/politeness/host-health.ts'
import type { Failed, Outcome, ProbeReply, Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Delivery } from '../../records/delivery.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import { VisitRecord } from '../../records/visit-record.ts'
import type { RobotsRule } from '../../robots/parse.ts'
import type { CrawlState } from '../crawl-state.ts'
import { SeedRedirects } from '../seeds/seed-redirects.ts'
import type { UrlOutcome } from '../worker-pool/worker-thread.ts'
import { backoff } from './backoff.ts'
import { CrashSuspects } from './crash-suspects.ts'
import { DeferredSeenTest } from './deferred-seen-test.ts'
import { ARRIVAL_ORDER, DeterministicOrder, type OutcomeOrder } from './deterministic-order.ts'
import { dropLost } from './drop-lost.ts'
import { giveUp } from './give-up.ts'
import { healthOnly, hostReport, pauseOnly } from './host-signals.ts'
import { OutageWatch } from './outage-watch.ts'
import { leaveOut, leaveOutByRule, leaveUnread } from './unfetched-urls.ts'

/** What settling leads to elsewhere. */
interface OutcomeEvents {
  /** A seed takes the scope to another host. */
  widened(url: string): void
  /** With `--deterministic`: a URL was settled while nothing else was under way. */
  alone(): void
}

/** Decides what outcomes mean for the crawl: what is found, tried again, or given up. */
export class OutcomeHandler {
  readonly outages: OutageWatch
  readonly #state: CrawlState
  readonly #redirects: SeedRedirects
  readonly #suspects = new CrashSuspects()
  readonly #order: OutcomeOrder
  readonly #claims: DeferredSeenTest | undefined
  readonly #duplicates: DuplicateDetector | undefined

  constructor(state: CrawlState, events: OutcomeEvents) {
    const { deterministic } = state.config
    this.#state = state
    this.#redirects = new SeedRedirects(state, (url) => events.widened(url))
    this.#order = deterministic
      ? new DeterministicOrder(state, () => events.alone())
      : ARRIVAL_ORDER
    this.#claims = testsSeenLate(state.config) ? new DeferredSeenTest(state) : undefined
    this.outages = new OutageWatch(state)
    this.#duplicates = DuplicateDetector.open(state.config, state.store, (id) =>
      state.frontier.urlOf(id),
    )
  }

  /** To be called when the frontier holds what a run begins with. */
  begin(): void {
    this.#order.begin()
  }

  /** @returns what is to be written */
  settle(settled: readonly UrlOutcome[]): Delivery[] {
    return settled.flatMap((each) => {
      const { crawlUrl, outcome } = each
      // At once: workers account for each URL once, whatever becomes of its page.
      if (outcome.type === 'visited') this.#state.memory.counters.account(outcome.counts)
      this.#release(this.#suspects.clear(crawlUrl.id))
      if (this.#state.frontier.completion.isLost(crawlUrl.id))
        return dropLost(this.#state, crawlUrl, outcome)
      const { counts, own } = this.outages.judge(each)
      const before = this.#settleHeld(own)
      return counts ? [...before, ...this.#conclude(each, hostReport(outcome))] : before
    })
  }

  /** It was asked whether a host is there. @returns what is to be written */
  probed(host: string, reply: ProbeReply): Delivery[] {
    return this.#settleHeld(this.outages.probed(host, reply))
  }

  /** Failures that are held are their URLs' own: these, or all. @returns what is to be written */
  countHeld(ids?: readonly number[]): Delivery[] {
    return this.#settleHeld(this.outages.take(ids))
  }

  /** Failures that were held count after all; their hosts have been free since they came. */
  #settleHeld(held: readonly UrlOutcome[]): Delivery[] {
    return held.flatMap((each) => {
      const { crawlUrl, outcome } = each
      if (this.#state.frontier.completion.isLost(crawlUrl.id))
        return dropLost(this.#state, crawlUrl, outcome)
      return this.#conclude(each, healthOnly(hostReport(outcome)))
    })
  }

  #conclude({ crawlUrl, outcome }: UrlOutcome, report: HostReport): Delivery[] {
    const { deterministic } = this.#state.config
    if (deterministic && outcome.type !== 'postponed') return this.#inTurn(crawlUrl, outcome)
    this.#report(crawlUrl, report)
    return this.#settle(crawlUrl, outcome)
  }

  /** The host is free at once; what the answer means is decided when those before it are settled. */
  #inTurn(crawlUrl: CrawlUrl, outcome: Visited | Failed): Delivery[] {
    const { frontier } = this.#state
    const { id } = crawlUrl
    const report = hostReport(outcome)
    frontier.completion.answeredEarly(id, pauseOnly(report), performance.now())
    return this.#order.put(id, () => {
      if (frontier.completion.dropIfHostFailed(id, performance.now())) {
        return leaveOut(this.#state, crawlUrl, 'host-failed')
      }
      if (frontier.completion.dropIfTrap(id, performance.now())) {
        return leaveOut(this.#state, crawlUrl, 'trap')
      }
      this.#report(crawlUrl, healthOnly(report))
      return this.#settle(crawlUrl, outcome)
    })
  }

  /** A worker died with these URLs in its hands: they run again, but for those that kill. */
  runAgain(crawlUrls: readonly CrawlUrl[], cause: Error): Delivery[] {
    const { frontier } = this.#state
    const { again, held, guilty } = this.#suspects.judge(crawlUrls)
    // Else they would take all the room that their host has, and the one that is to run would wait for ever.
    for (const { id } of held) {
      frontier.completion.answeredEarly(id, { health: 'unsure' }, performance.now())
    }
    this.#release(again)
    return guilty.flatMap((each) => this.giveUp(each, 'worker-died', cause.message))
  }

  /** No worker could fetch it. */
  giveUp(crawlUrl: CrawlUrl, code: ErrorCode, message: string): Delivery[] {
    const isTimed = !this.#state.config.deterministic
    const outcome = giveUp(crawlUrl, code, message, isTimed)
    return this.#order.put(crawlUrl.id, () => this.#fail(crawlUrl, outcome))
  }

  /** robots.txt forbids the URL: there is no record, for there was no request. */
  keepOut(crawlUrl: CrawlUrl, rule: RobotsRule): Delivery[] {
    return this.#order.put(crawlUrl.id, () => leaveOutByRule(this.#state, crawlUrl, rule))
  }

  /** The URL is not asked for: there is no record. */
  skip(crawlUrl: CrawlUrl, reason: SkipCause): Delivery[] {
    return this.#order.put(crawlUrl.id, () => leaveOut(this.#state, crawlUrl, reason))
  }

  #report({ id }: CrawlUrl, report: HostReport): void {
    const { frontier, givenUp, logger } = this.#state
    const host = frontier.report(id, report, performance.now())
    if (host !== undefined) givenUp.add(host, logger)
  }

  #release(crawlUrls: readonly CrawlUrl[]): void {
    for (const { id } of crawlUrls) this.#state.frontier.retry(id, undefined, performance.now())
  }

  #settle(crawlUrl: CrawlUrl, outcome: Outcome): Delivery[] {
    if (outcome.type === 'failed') return this.#fail(crawlUrl, outcome)
    if (!crawlUrl.isReread) this.#state.tally.count(outcome)
    if (outcome.type === 'visited') return this.#visited(crawlUrl, outcome)
    const pause = backoff(crawlUrl.failures + 1, this.#state.tuning.random)
    const after = Math.max(pause, outcome.retryAfter ?? 0)
    this.#state.frontier.retry(crawlUrl.id, after, performance.now())
    return []
  }

  #visited(crawlUrl: CrawlUrl, found: Visited): Delivery[] {
    const told = this.#duplicates?.check(crawlUrl, found) ?? found
    const outcome = this.#claims?.keepNew(crawlUrl, told) ?? told
    const beside = this.#redirects.follow(crawlUrl, outcome)
    if (outcome.isUnreadSitemap) this.#state.seeds.warnOfSitemap(crawlUrl.url, this.#state.logger)
    this.#state.skips.write(outcome.skipped)
    this.#state.frontier.visited(crawlUrl.id, { ...outcome, beside }, performance.now())
    if (crawlUrl.isReread) return []
    if (crawlUrl.hop === 'seed') this.#state.seeds.answered++
    this.#state.visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    this.#remember(crawlUrl, outcome)
    return [{ ...outcome, record: VisitRecord.of(crawlUrl, outcome.fields) }]
  }

  /** What is gone is forgotten, and known again when it is back. */
  #remember({ url }: CrawlUrl, { change }: Visited): void {
    if (change === 'gone') this.#state.memory.forget([url])
    else if (change === 'changed') this.#state.memory.addIfNew([url])
  }

  #fail(crawlUrl: CrawlUrl, outcome: Failed): Delivery[] {
    const { frontier, logger, seeds, tally } = this.#state
    if (crawlUrl.isReread) return leaveUnread(this.#state, crawlUrl, outcome)
    const isSeed = crawlUrl.hop === 'seed'
    const fallback = isSeed ? seeds.fallbackOf(crawlUrl.url) : undefined
    if (fallback !== undefined) {
      seeds.addToChain(fallback)
      logger.info(`${crawlUrl.url}: ${outcome.message}; trying ${fallback}`)
      frontier.addSeed(fallback, performance.now())
    } else if (isSeed) {
      seeds.fail(crawlUrl.url, outcome.message)
    }
    frontier.failed(crawlUrl.id, performance.now())
    if (fallback !== undefined) return []
    tally.count(outcome)
    this.#state.visits?.put(crawlUrl.id, crawlUrl.depth, outcome)
    return [{ record: VisitRecord.of(crawlUrl, outcome.fields) }]
  }
}
