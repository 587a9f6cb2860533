import { originOf } from '../../url/origin.ts'
import type { Turns } from '../deterministic/settle-order.ts'
import { Fifo } from '../fifo.ts'
import type { HostRecord } from '../sqlite/host-store.ts'
import type { ReadyUrl } from '../sqlite/stored-url.ts'
import type { UrlStore } from '../sqlite/url-store.ts'
import { WaitingUrls } from '../sqlite/waiting-urls.ts'
import { Availability } from './availability.ts'
import { isCostly } from './costly-rules.ts'
import { HostHealth, type HostReport } from './host-health.ts'
import { HostLoad } from './host-load.ts'
import type { HostRobots } from './host-robots.ts'
import type { HostStats } from './host-stats.ts'
import type { Manners } from './politeness.ts'
import type { RobotsAsk } from './robots-ask.ts'
import type { RobotsPatience } from './robots-patience.ts'

/**
 * Whether a host may be asked now. `blocked` ends with an outcome of its own, `crowded` with one of
 * any host at its address; `dormant` is `snoozed` that is not worth waiting for alone.
 */
export type HostStatus = 'ready' | 'snoozed' | 'dormant' | 'blocked' | 'crowded' | 'exhausted'

/** What a host was when it was last in memory. */
interface HostPast {
  readonly record: HostRecord
  readonly robots: HostRobots
}

/**
 * One host: its URLs that wait, and the manners that are due to it.
 *
 * It hands out in level order: nothing as long as something nearer to the seeds is in flight or
 * waits for another attempt. That makes depths on one host exact, whatever the timing.
 */
export class HostQueue {
  readonly id: number
  readonly key: string
  readonly urls: WaitingUrls
  readonly robots: HostRobots
  /** Requests for robots.txt, on behalf of this host or of others that redirect here. */
  readonly asks = new Fifo<RobotsAsk>()
  readonly health: HostHealth
  readonly availability: Availability
  readonly load: HostLoad
  /** Whether it is known which other hosts are at the same address. */
  address: 'unknown' | 'asked' | 'known'
  /** Where the schedule keeps the host. */
  placed: Exclude<HostStatus, 'blocked' | 'exhausted'> | 'nowhere' = 'nowhere'
  /** Nothing more of it is handed out here: another process is to have it. */
  isLeaving = false
  /** When it is to be looked at again, where it is snoozed or dormant. */
  wakeAt = 0
  readonly #manners: Manners
  readonly #turns: Turns | undefined
  #hasChanged = false

  constructor({ record, robots }: HostPast, store: UrlStore, manners: Manners, turns?: Turns) {
    const { id, key } = record
    this.id = id
    this.key = key
    this.urls = new WaitingUrls({ id, key }, store)
    this.robots = robots
    this.load = new HostLoad(manners, record)
    this.#manners = manners
    this.#turns = turns
    this.health = new HostHealth(manners.maxHostErrors ?? Number.POSITIVE_INFINITY, record)
    const { hostPatience = 0, ignoreRobots } = manners
    this.availability = new Availability(hostPatience, ignoreRobots !== true, record)
    this.address = manners.perIp === true ? 'unknown' : 'known'
  }

  get failure(): string | undefined {
    return this.health.failure
  }

  /** Whether the record is another than when it was last asked for. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** What is to be kept of the host. */
  get record(): HostRecord {
    this.#hasChanged = false
    const { id, key, load, health, availability } = this
    return { id, key, ...load.record, ...health.record, ...availability.record }
  }

  /** What it is at. */
  get stats(): HostStats {
    const { key: host, urls, health, load } = this
    const busy = { pages: load.pages, queued: urls.size, inFlight: load.inFlight }
    return { host, ...busy, ...(health.latency !== undefined && { latency: health.latency }) }
  }

  /** Whether it has stopped answering, and is waited for. */
  get isAwaited(): boolean {
    return this.availability.isAway && this.failure === undefined
  }

  /** Whether nothing would be lost if only its record were kept. */
  get isAtRest(): boolean {
    // Hosts that share an address are remembered.
    if (this.isBusy || this.#manners.perIp === true) return false
    const { head } = this.urls
    return head === undefined || this.#turns?.admits(head.id) !== true
  }

  /** As of `now`; sets `wakeAt` where it is a matter of time. */
  status(now: number): HostStatus {
    const { head } = this.urls
    if (this.mustCountHeld(now)) return 'ready'
    const isAsked = this.asks.size > 0 || this.availability.wantsProbe
    if (head === undefined && !isAsked) return 'exhausted'
    if ((this.isLeaving || this.#isEarly(head)) && !isAsked) return 'blocked'
    if (this.address !== 'known') return this.address === 'asked' ? 'blocked' : 'ready'
    if (isAsked || head === undefined) return this.#statusByTime(now)
    if (this.failure !== undefined || this.load.hasEnough(head)) return 'ready'
    if (this.availability.isDoubted || this.availability.isProbing) return 'blocked'
    if (this.availability.isAway) return this.#statusByTime(now)
    if (this.robots.asking !== undefined || this.urls.isAhead(head)) return 'blocked'
    const status = this.#statusByTime(now, this.robots.patienceWith(originOf(head.url)))
    // What is not to be fetched need not wait, unless that is dear to find out.
    const isEarly = status !== 'ready' && !isCostly(this.robots) && this.#isKeptOut(head, now)
    return isEarly ? 'ready' : status
  }

  /** A request to the host begins. */
  asked(isNewPage: boolean): void {
    this.#hasChanged = true
    this.load.asked(isNewPage)
  }

  /** A request to the host has ended. */
  answered(now: number): void {
    this.#hasChanged = true
    this.load.answered(this.robots.crawlDelay, now)
  }

  /** Requests are under way, for robots.txt too. */
  get isInFlight(): boolean {
    if (this.availability.wantsProbe || this.availability.held.size > 0) return true
    return this.asks.size + this.load.inFlight > 0 || this.robots.isAsking
  }

  /** Requests are under way, or URLs wait for another attempt. */
  get isBusy(): boolean {
    return this.isInFlight || this.urls.hasUnsettled
  }

  /** True when the host is given up for it. */
  report(report: HostReport, now: number): boolean {
    const { ms, health, retryAfter = 0 } = report
    this.#hasChanged = true
    if (ms !== undefined) this.load.learn(ms, health !== 'well')
    const isGivenUp = this.health.note(report)
    if (this.failure === undefined && retryAfter > 0) this.load.setAside(now + retryAfter)
    return isGivenUp
  }

  /** It gets no further request. */
  giveUp(reason: string): void {
    this.health.failure = reason
    this.#hasChanged = true
  }

  /** Whether failures that are held count as they are; has a doubt looked into where one is left. */
  mustCountHeld(now: number): boolean {
    if (this.availability.held.isReleased) return true
    if (this.availability.held.size === 0 || !this.#isStuck) return false
    if (this.availability.mayCountHeld) return true
    this.availability.doubt(now)
    return false
  }

  /** Whether nothing else will be asked of it that could tell whose failures are held. */
  get #isStuck(): boolean {
    if (this.load.inFlight + this.asks.size > 0 || this.robots.isAsking) return false
    const { head } = this.urls
    if (head === undefined || this.isLeaving) return true
    return this.#isEarly(head) || this.urls.isAhead(head)
  }

  /** Whether the turn of a URL is yet to come. */
  #isEarly(head: ReadyUrl | undefined): boolean {
    return head !== undefined && this.#turns?.admits(head.id) === false
  }

  #statusByTime(now: number, patience?: RobotsPatience): HostStatus {
    const next = this.load.next(this.robots.crawlDelay)
    if (typeof next !== 'number') return next
    this.wakeAt = Math.max(next, patience?.retryAt ?? 0)
    if (now >= this.wakeAt) return 'ready'
    return patience?.isLong === true && now < patience.retryAt ? 'dormant' : 'snoozed'
  }

  #isKeptOut({ url }: ReadyUrl, now: number): boolean {
    const { type } = this.robots.verdict(originOf(url), url, now)
    return type === 'forbidden' || type === 'unreachable'
  }
}
