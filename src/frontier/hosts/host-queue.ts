import { originOf } from '../../url/origin.ts'
import { Fifo } from '../fifo.ts'
import type { Turns } from '../turns.ts'
import type { ReadyUrl } from '../urls/stored-url.ts'
import type { UrlStore } from '../urls/url-store.ts'
import { WaitingUrls } from '../urls/waiting-urls.ts'
import { Budget } from './budget.ts'
import { isCostly } from './costly-rules.ts'
import { HostHealth, type HostReport } from './host-health.ts'
import { HostRobots } from './host-robots.ts'
import type { HostStats } from './host-stats.ts'
import type { HostRecord, KnownRobots } from './host-store.ts'
import type { Manners } from './manners.ts'
import { Pace } from './pace.ts'
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
  readonly robots: readonly (readonly [origin: string, known: KnownRobots])[]
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
  budget = new Budget()
  /** Whether it is known which other hosts are at the same address. */
  address: 'unknown' | 'asked' | 'known'
  /** Where the schedule keeps the host. */
  placed: Exclude<HostStatus, 'blocked' | 'exhausted'> | 'nowhere' = 'nowhere'
  /** Nothing more of it is handed out here: another process is to have it. */
  isLeaving = false
  /** When it is to be looked at again, where it is snoozed or dormant. */
  wakeAt = 0
  /** Requests since it came into memory. */
  turns = 0
  readonly #manners: Manners
  readonly #turns: Turns | undefined
  readonly #pace: Pace
  #inFlight = 0
  #pages: number
  #hasChanged = false

  constructor({ record, robots }: HostPast, store: UrlStore, manners: Manners, turns?: Turns) {
    const { id, key, pages } = record
    this.id = id
    this.key = key
    this.urls = new WaitingUrls(id, store)
    this.robots = new HostRobots(robots)
    this.#pages = pages
    this.#pace = new Pace(manners, record)
    this.#manners = manners
    this.#turns = turns
    this.health = new HostHealth(manners.maxHostErrors ?? Number.POSITIVE_INFINITY, record)
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
    const { id, key } = this
    return { id, key, ...this.#pace.record, pages: this.#pages, ...this.health.record }
  }

  /** What it is at. */
  get stats(): HostStats {
    const { key: host, urls, health } = this
    const busy = { pages: this.#pages, queued: urls.size, inFlight: this.#inFlight }
    return { host, ...busy, ...(health.latency !== undefined && { latency: health.latency }) }
  }

  /** Whether nothing would be lost if only its record were kept. */
  get isAtRest(): boolean {
    // Hosts that share an address are remembered.
    if (this.isBusy || this.#manners.perIp === true) return false
    const { head } = this.urls
    return head === undefined || this.#turns?.admits(head.id) !== true
  }

  /** Whether so many pages were asked of the host that this one is too many. */
  hasEnough({ attempts }: ReadyUrl): boolean {
    return attempts === 0 && this.#pages >= (this.#manners.maxPerHost ?? Number.POSITIVE_INFINITY)
  }

  /** As of `now`; sets `wakeAt` where it is a matter of time. */
  status(now: number): HostStatus {
    const { head } = this.urls
    const isAsked = this.asks.size > 0
    if (head === undefined && !isAsked) return 'exhausted'
    const isTooEarly = head !== undefined && this.#turns?.admits(head.id) === false
    if ((isTooEarly || this.isLeaving) && !isAsked) return 'blocked'
    if (this.address !== 'known') return this.address === 'asked' ? 'blocked' : 'ready'
    if (isAsked || head === undefined) return this.#statusByTime(now)
    if (this.failure !== undefined || this.hasEnough(head)) return 'ready'
    if (this.robots.asking !== undefined || this.urls.isAhead(head)) return 'blocked'
    const status = this.#statusByTime(now, this.robots.patienceWith(originOf(head.url)))
    // What is not to be fetched need not wait, unless that is dear to find out.
    const isEarly = status !== 'ready' && !isCostly(this.robots) && this.#isKeptOut(head, now)
    return isEarly ? 'ready' : status
  }

  /** A request to the host begins. */
  asked(isNewPage: boolean): void {
    this.turns++
    this.#inFlight++
    this.budget.inFlight++
    this.#hasChanged = true
    if (isNewPage) this.#pages++
  }

  /** A request to the host has ended: the delay runs from here. */
  answered(now: number): void {
    this.#inFlight--
    this.#hasChanged = true
    this.budget.inFlight--
    const { delay } = this.#pace
    this.budget.notBefore = Math.max(this.budget.notBefore, now + delay)
    this.setAside(now + Math.max(delay, this.robots.crawlDelay))
  }

  /** Requests are under way, for robots.txt too. */
  get isInFlight(): boolean {
    return this.asks.size + this.#inFlight > 0 || this.robots.isAsking
  }

  /** Requests are under way, or URLs wait for another attempt. */
  get isBusy(): boolean {
    return this.isInFlight || this.urls.hasUnsettled
  }

  /** Goes on from what another process knows of the host. */
  resume({ pause, pages }: Pick<HostRecord, 'pause' | 'pages'>): void {
    this.#pace.resume(pause)
    this.#pages = pages
  }

  /** No request before that time. */
  setAside(until: number): void {
    this.#pace.setAside(until)
  }

  /** True when the host is given up for it. */
  report(report: HostReport, now: number): boolean {
    const { ms, health, retryAfter = 0 } = report
    this.#hasChanged = true
    if (ms !== undefined) this.#pace.learn(ms, health !== 'well')
    const isGivenUp = this.health.note(report)
    if (this.failure === undefined && retryAfter > 0) this.setAside(now + retryAfter)
    return isGivenUp
  }

  #statusByTime(now: number, patience?: RobotsPatience): HostStatus {
    const { perHost, delay, adaptive } = this.#manners
    const inFlightOfAddress = delay > 0 || adaptive === true ? 1 : perHost
    if (this.#inFlight >= (this.robots.crawlDelay > 0 ? 1 : inFlightOfAddress)) return 'blocked'
    if (this.budget.inFlight >= inFlightOfAddress) return 'crowded'
    this.wakeAt = Math.max(this.#pace.notBefore, this.budget.notBefore, patience?.retryAt ?? 0)
    if (now >= this.wakeAt) return 'ready'
    return patience?.isLong === true && now < patience.retryAt ? 'dormant' : 'snoozed'
  }

  #isKeptOut({ url }: ReadyUrl, now: number): boolean {
    const { type } = this.robots.verdict(originOf(url), url, now)
    return type === 'forbidden' || type === 'unreachable'
  }
}
