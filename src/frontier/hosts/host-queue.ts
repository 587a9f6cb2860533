import { Fifo } from '../../collections/fifo.ts'
import type { LevelOrder } from '../deterministic/level-order.ts'
import type { HostRecord } from '../storage/stored-host.ts'
import type { ReadyUrl } from '../storage/stored-url.ts'
import type { UrlStore } from '../storage/url-store.ts'
import type { ConnectionShare } from './connection-share.ts'
import { isCostly } from './costly-rules.ts'
import type { DomainBudget } from './domain-budgets.ts'
import { HostAvailability } from './host-availability.ts'
import { HostHealth, type HostReport } from './host-health.ts'
import { type AddressLoad, HostLoad } from './host-load.ts'
import { HostPauses } from './host-pauses.ts'
import type { HostRobots, RobotsTarget } from './host-robots.ts'
import type { HostStats } from './host-stats.ts'
import type { PauseReason, PolitenessOptions } from './politeness-options.ts'
import type { RobotsRetry } from './robots-retry.ts'
import { WaitingUrls } from './waiting-urls.ts'

/**
 * The readiness of a host for a request.
 * - `snoozed`: it waits for a time. `dormant`: the same, but the crawl may end before that time.
 * - `behind`: it waits for responses of URLs that are nearer to the seeds, but not longer than until a time.
 * - `blocked`: it waits for an event of its own, such as the end of a request.
 * - `crowded`: it waits for the end of a request to any host at its address.
 * - `exhausted`: it has nothing to do.
 */
export type HostStatus =
  | 'ready'
  | 'snoozed'
  | 'dormant'
  | 'behind'
  | 'blocked'
  | 'crowded'
  | 'exhausted'

/** The stored state of a host, and the objects that it shares with other hosts. */
interface HostState {
  readonly record: HostRecord
  readonly robots: HostRobots
  readonly share: ConnectionShare
  /** Undefined without `--max-per-domain`. */
  readonly domain: DomainBudget | undefined
}

/**
 * One host: its waiting URLs, and when the next one may be requested.
 *
 * It hands URLs out in level order: no URL is handed out while one nearer to the seeds is in flight or
 * waits for another attempt. So depths on one host are exact, whatever the timing. Only a URL that takes long is
 * passed, so that it doesn't hold up the host: soon by URLs one link deeper, to which its links can't be shorter paths,
 * and later by all. If it shows a shorter path after all, that is corrected as over many hosts.
 */
export class HostQueue {
  readonly id: number
  readonly key: string
  readonly urls: WaitingUrls
  readonly robots: HostRobots
  /** Queued requests for robots.txt, for this host or for others that redirect here. */
  readonly robotsRequests = new Fifo<RobotsTarget>()
  readonly health: HostHealth
  readonly availability: HostAvailability
  readonly load: HostLoad
  readonly pauses = new HostPauses()
  readonly #options: PolitenessOptions
  readonly #order: LevelOrder | undefined
  #address: 'unknown' | 'requested' | 'known'
  #isClosed = false
  #wakeAt = 0
  #hasChanged = false

  constructor(
    { record, robots, share, domain }: HostState,
    urls: UrlStore,
    options: PolitenessOptions,
    order: LevelOrder | undefined,
  ) {
    const { id, key } = record
    this.id = id
    this.key = key
    this.urls = new WaitingUrls({ id, key }, urls)
    this.robots = robots
    this.load = new HostLoad(options, record, { share, domain })
    this.#options = options
    this.#order = order
    this.health = new HostHealth(options.maxHostErrors ?? Number.POSITIVE_INFINITY, record)
    this.availability = new HostAvailability(options, record)
    this.#address = options.perIp === true ? 'unknown' : 'known'
  }

  /** The reason for giving the host up; undefined if it isn't given up. */
  get failure(): string | undefined {
    return this.health.failure
  }

  /** State of the address look-up; always `known` without `--per-ip`. */
  get address(): 'unknown' | 'requested' | 'known' {
    return this.#address
  }

  /** When to check a host again that is snoozed, dormant or behind. */
  get wakeAt(): number {
    return this.#wakeAt
  }

  /** True if the record has changed since the last call of `takeRecord`. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  /** Returns the record to store. */
  takeRecord(): HostRecord {
    this.#hasChanged = false
    const { id, key, load, health, availability } = this
    return { id, key, ...load.record, ...health.record, ...availability.record }
  }

  get stats(): HostStats {
    const { key: host, urls, health, load } = this
    const busy = { pages: load.pages, queued: urls.size, inFlight: load.inFlight }
    return { host, ...busy, ...(health.latency !== undefined && { latency: health.latency }) }
  }

  /** True if the host has stopped answering, and is waited for. */
  get isAway(): boolean {
    return this.availability.isAway && this.failure === undefined
  }

  /** True if the host may leave memory: its record contains its whole state. */
  get isAtRest(): boolean {
    // Hosts that share an address stay in memory.
    if (this.hasUnfinishedWork || this.#options.perIp === true) return false
    const { head } = this.urls
    return head === undefined || this.#order?.admits(head.id) !== true
  }

  /** Returns the status of the host, and sets `wakeAt` for a host that waits for a time. */
  status(now: number): HostStatus {
    const { head } = this.urls
    if (this.decideOnHeld(now)) return 'ready'
    const isDue = this.robotsRequests.size > 0 || this.availability.wantsProbe
    if (head === undefined && !isDue) return 'exhausted'
    if ((this.#isClosed || this.#awaitsOrder(head)) && !isDue) return 'blocked'
    if (this.#address !== 'known') return this.#address === 'requested' ? 'blocked' : 'ready'
    if (isDue || head === undefined) return this.#statusByTime(now)
    if (this.failure !== undefined || this.load.limitOf(head) !== undefined) return 'ready'
    if (this.availability.isDoubted || this.availability.isProbing) return 'blocked'
    if (this.availability.isAway) return this.#statusByTime(now)
    if (this.robots.isPending) return 'blocked'
    if (this.urls.hasUnsettledBefore(head)) {
      // In the deterministic order, no URL passes another.
      if (this.#order !== undefined) return 'blocked'
      this.#wakeAt = this.urls.passesAt(head)
      if (now < this.#wakeAt) return 'behind'
    }
    const status = this.#statusByTime(now, this.robots.retryForUrl(head.url))
    // A forbidden URL need not wait. But if the rules are costly to compare, comparisons wait like requests.
    if (status === 'ready' || isCostly(this.robots)) return status
    return this.#isForbidden(head, now) ? 'ready' : status
  }

  /** Stops handing out URLs: another process will take the host over. */
  close(): void {
    this.#isClosed = true
  }

  /** Hands out URLs again. */
  reopen(): void {
    this.#isClosed = false
  }

  /** Notes that the address of the host is being looked up. */
  beginLookUp(): void {
    this.#address = 'requested'
  }

  /** Notes that the look-up has ended. Without a load to share, the host keeps its own. */
  endLookUp(load: AddressLoad | undefined): void {
    this.#address = 'known'
    if (load !== undefined) this.load.share(load)
  }

  /** Notes that a request begins. */
  began(): void {
    this.#hasChanged = true
    this.load.began()
  }

  /** Notes that a request was not sent after all. */
  returnUnsent(): void {
    this.#hasChanged = true
    this.load.returnUnsent()
  }

  /** Notes that a URL of a level was put back. The deterministic order may not admit others before it. */
  putBack(level: number): void {
    if (this.#order === undefined) this.urls.joined(level)
    else this.urls.returned()
  }

  /** Notes that a request has ended. */
  ended(now: number): void {
    this.#hasChanged = true
    const { crawlDelay } = this.robots
    const { delay } = this.load
    const pause = this.load.ended(crawlDelay, now)
    const reason = crawlDelay > 0 && crawlDelay >= delay ? 'crawl-delay' : 'delay'
    this.#paused(pause, reason, now)
  }

  /** Makes no request for some milliseconds. */
  pause(pause: number, reason: PauseReason, now: number): void {
    this.load.pauseUntil(now + pause)
    this.#paused(pause, reason, now)
  }

  #paused(pause: number, reason: PauseReason, now: number): void {
    if (pause <= 0) return
    this.pauses.paused(now + pause, reason)
    this.#options.onPause?.(this.key, pause, reason)
  }

  /** True if requests are in flight, requests for robots.txt or a probe are due, or failures are held. */
  get hasOpenRequests(): boolean {
    if (this.availability.wantsProbe || this.availability.held.size > 0) return true
    return this.robotsRequests.size + this.load.inFlight > 0 || this.robots.isPending
  }

  /** True if the host has open requests, or if URLs are not settled or wait for another attempt. */
  get hasUnfinishedWork(): boolean {
    return this.hasOpenRequests || this.urls.hasUnsettled
  }

  /** Applies a request's report on the host. Returns whether the host is given up because of it. */
  report(report: HostReport, now: number): boolean {
    const { ms, health, retryAfter = 0 } = report
    this.#hasChanged = true
    if (ms !== undefined) this.load.learn(ms, health !== 'well', now)
    const isGivenUp = this.health.note(report)
    if (isGivenUp) this.availability.giveUp()
    if (this.failure === undefined) this.pause(retryAfter, 'retry-after', now)
    return isGivenUp
  }

  /** Gives the host up: it gets no further request. */
  giveUp(reason: string): void {
    this.health.giveUp(reason)
    this.availability.giveUp()
    this.#hasChanged = true
  }

  /** Returns true if held failures must be counted now. If only a probe can decide that, makes a probe due. */
  decideOnHeld(now: number): boolean {
    const { availability } = this
    if (availability.held.isReleased) return true
    if (availability.held.size === 0 || !this.#isStuck) return false
    if (availability.mayCountHeld) return true
    availability.doubt(now)
    return false
  }

  /** True if the host gets no other request that could show who is at fault for held failures. */
  get #isStuck(): boolean {
    if (this.load.inFlight + this.robotsRequests.size > 0 || this.robots.isPending) return false
    const { head } = this.urls
    if (head === undefined || this.#isClosed) return true
    return this.#awaitsOrder(head) || this.urls.hasUnsettledBefore(head)
  }

  /** Returns whether the deterministic order has not admitted a URL yet. */
  #awaitsOrder(head: ReadyUrl | undefined): boolean {
    return head !== undefined && this.#order?.admits(head.id) === false
  }

  #statusByTime(now: number, retry?: RobotsRetry): HostStatus {
    const next = this.load.next(this.robots.crawlDelay)
    if (typeof next !== 'number') return next
    this.#wakeAt = Math.max(next, retry?.retryAt ?? 0)
    if (now >= this.#wakeAt) return 'ready'
    return retry?.isLong === true && now < retry.retryAt ? 'dormant' : 'snoozed'
  }

  #isForbidden({ url }: ReadyUrl, now: number): boolean {
    const { type } = this.robots.verdict(url, now)
    return type === 'forbidden' || type === 'unreachable'
  }
}
