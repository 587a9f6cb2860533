import type { ProbeErrand, RobotsErrand } from '../messages/messages.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { RobotsRule } from '../robots/parse.ts'
import type { TrapVerdict } from '../traps/pattern-yield.ts'
import { originOf } from '../url/origin.ts'
import type { Books } from './frontier-tables.ts'
import { crawlUrlOf } from './in-flight.ts'
import { CostlyRules, isCostly } from './politeness/costly-rules.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import { ALLOWED, type Verdict } from './politeness/host-robots.ts'
import { HostSchedule } from './politeness/host-schedule.ts'
import type { ReadyUrl } from './sqlite/stored-url.ts'
import { STATE, type State } from './sqlite/tables.ts'

/** What is to be done next. */
export type Order =
  | { readonly type: 'visit'; readonly crawlUrl: CrawlUrl }
  | RobotsErrand
  | ProbeErrand
  /** Failures that were held are their URLs' own. */
  | { readonly type: 'count-failures'; readonly host: string; readonly ids: readonly number[] }
  /** Find out at which address a host is. */
  | { readonly type: 'look-up'; readonly host: string }
  | { readonly type: 'give-up'; readonly crawlUrl: CrawlUrl; readonly reason: string }
  | { readonly type: 'keep-out'; readonly crawlUrl: CrawlUrl; readonly rule: RobotsRule }
  | {
      readonly type: 'skip'
      readonly crawlUrl: CrawlUrl
      readonly reason: SkippedFor
    }

/** Why a URL that waited is not asked for. */
export type SkippedFor = 'host-failed' | 'limit' | 'trap'

/** Turns that are taken at a time: to defer a URL is no order, and a trap has many of them. */
const MAX_TURNS = 1_000

/** Turns what waits into orders, host by host, as manners and robots.txt allow. */
export class Orders {
  readonly schedule = new HostSchedule()
  readonly #costlyRules = new CostlyRules()
  readonly #books: Books
  readonly #ignoreRobots: boolean

  constructor(books: Books, ignoreRobots: boolean) {
    this.#books = books
    this.#ignoreRobots = ignoreRobots
  }

  take(max: number, now: number): Order[] {
    const orders: Order[] = []
    for (let turn = 0; turn < MAX_TURNS && orders.length < max; turn++) {
      const host = this.schedule.next(now)
      if (host === undefined) break
      const order = this.#orderFrom(host, now)
      if (order !== undefined) orders.push(order)
      // Who does not make use of his turn passes it on to others at his address.
      if (order?.type === 'visit' || order?.type === 'robots' || order?.type === 'probe')
        this.schedule.place(host, now)
      else this.schedule.freed(host, now)
    }
    return orders
  }

  #orderFrom(host: HostQueue, now: number): Order | undefined {
    if (host.status(now) !== 'ready') return undefined
    if (host.address === 'unknown') return this.#lookUp(host)
    if (host.mustCountHeld(now)) {
      return { type: 'count-failures', host: host.key, ids: host.availability.held.take() }
    }
    const { head } = host.urls
    if (host.asks.size > 0) return this.#askForRobots(host)
    if (host.availability.wantsProbe) return this.#probe(host, now)
    if (head === undefined) return undefined
    if (host.failure !== undefined) return this.#skip(host, head, 'host-failed')
    if (host.load.hasEnough(head)) return this.#skip(host, head, 'limit')
    if (host.availability.isAway) return this.#probe(host, now)
    return this.#obey(host, head, this.#verdictOn(host, head, now), now)
  }

  #probe(host: HostQueue, now: number): Order | undefined {
    const probe = this.#books.probes.open(host, now)
    return probe && { type: 'probe', host: host.key, ...probe }
  }

  #verdictOn(host: HostQueue, { url }: ReadyUrl, now: number): Verdict {
    if (this.#ignoreRobots) return ALLOWED
    const { robots } = host
    const verdict = robots.verdict(originOf(url), url, now)
    if (isCostly(robots)) host.load.setAside(this.#costlyRules.pauseAfter(robots.cost, now))
    return verdict
  }

  #obey(host: HostQueue, head: ReadyUrl, verdict: Verdict, now: number): Order | undefined {
    switch (verdict.type) {
      case 'allowed':
        return this.#visit(host, head, now)
      case 'unknown':
        this.#books.robotsAsks.open(host, originOf(head.url))
        return this.#askForRobots(host)
      case 'forbidden':
        return {
          type: 'keep-out',
          crawlUrl: this.#drop(host, head, STATE.forbidden),
          rule: verdict.rule,
        }
      case 'unreachable':
        return {
          type: 'give-up',
          crawlUrl: this.#drop(host, head, STATE.failed),
          reason: verdict.reason,
        }
    }
  }

  #visit(host: HostQueue, head: ReadyUrl, now: number): Order | undefined {
    const verdict = this.#suspicionOf(host, head)
    if (verdict === 'trap') return this.#skip(host, head, 'trap')
    if (verdict === 'go' || host.urls.isDeferred) {
      return { type: 'visit', crawlUrl: this.#books.leases.grant(host, head, now) }
    }
    host.urls.defer(head)
    return undefined
  }

  /**
   * Seeds, where they redirect, and what sitemaps list, is wanted; what was asked for once, too. Where URLs
   * are settled in one order, the verdict is given when it is their turn.
   */
  #suspicionOf(host: HostQueue, { url, depth, attempts }: ReadyUrl): TrapVerdict {
    if (depth === 0 || attempts > 0 || this.#books.turns !== undefined) return 'go'
    return this.#books.traps?.admit(url, host.key) ?? 'go'
  }

  #askForRobots(host: HostQueue): Order | undefined {
    const ask = this.#books.robotsAsks.take(host)
    return ask === undefined ? undefined : { type: 'robots', origin: ask.origin, url: ask.url }
  }

  #lookUp(host: HostQueue): Order {
    host.address = 'asked'
    this.#books.lookUps++
    return { type: 'look-up', host: host.key }
  }

  #skip(host: HostQueue, head: ReadyUrl, reason: SkippedFor): Order {
    const state = reason === 'host-failed' ? STATE.hostFailed : STATE.skipped
    return { type: 'skip', crawlUrl: this.#drop(host, head, state), reason }
  }

  /** The head leaves its queue without a request. */
  #drop(host: HostQueue, head: ReadyUrl, state: State): CrawlUrl {
    const { rereads, urls, unfinished } = this.#books
    const isReread = rereads.has(head.id)
    if (isReread) rereads.remove(head.id)
    host.urls.shift()
    unfinished.remove(head.depth)
    urls.setState(head.id, isReread ? STATE.visited : state)
    return crawlUrlOf(head, head.depth, isReread)
  }
}
