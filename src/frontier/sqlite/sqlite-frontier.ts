import type { RobotsReply } from '../../messages/from-worker.ts'
import type { Findings, LinkedUrls } from '../../messages/outcome.ts'
import { WallClock } from '../../runtime/wall-clock.ts'
import { type CrawlStorage, temporaryStorage } from '../../state/crawl-storage.ts'
import type { TrapExample } from '../../traps/trap-example.ts'
import { hostKey } from '../../url/host-key.ts'
import type { Action } from '../action.ts'
import { ActionPlanner } from '../action-planner.ts'
import { Completion } from '../completion.ts'
import type { Frontier, FrontierOptions, SettleOrder } from '../frontier.ts'
import { type FrontierParts, frontierParts } from '../frontier-parts.ts'
import { HostOutages } from '../host-outages.ts'
import type { FailedHost } from '../hosts/failed-host.ts'
import { HostCensus } from '../hosts/host-census.ts'
import type { HostReport } from '../hosts/host-health.ts'
import { HostSwapping } from '../hosts/host-swapping.ts'
import { ResourceRequests } from '../hosts/resource-requests.ts'
import type { RobotsRetries } from '../hosts/robots-retry.ts'
import {
  Discovery,
  type FoundUrls,
  linkPlace,
  sameDepthUrls,
  startPlace,
} from '../shortest-path/discovery.ts'
import { FrontierTables } from '../storage/frontier-tables.ts'
import { URL_STATE } from '../storage/stored-url.ts'
import { placeOf, type UrlInFlight } from '../urls-in-flight.ts'
import { ClockCorrection } from './clock-correction.ts'
import { SqliteSnapshot } from './frontier-snapshot.ts'
import { LeasedHosts } from './leased-hosts.ts'

/**
 * A frontier with one queue of URLs per host (Mercator's back queues). Its tables are in SQLite: a crawl can be stopped
 * and resumed, and its URLs need not fit into memory.
 */
export class SqliteFrontier implements Frontier {
  readonly snapshot: SqliteSnapshot
  readonly completion: Completion
  readonly hosts: HostCensus
  readonly outages: HostOutages
  readonly resources: ResourceRequests
  protected readonly leasedHosts: LeasedHosts
  readonly #store: CrawlStorage
  readonly #parts: FrontierParts
  readonly #planner: ActionPlanner
  readonly #discovery: Discovery
  readonly #swapping: HostSwapping

  constructor(options: FrontierOptions, store: CrawlStorage = temporaryStorage()) {
    const clock = new WallClock()
    const tables = new FrontierTables(store, options, clock)
    this.#store = store
    this.#parts = frontierParts(tables, options)
    const { hosts, order, schedule } = this.#parts
    this.#planner = new ActionPlanner(this.#parts, options)
    this.#discovery = new Discovery(this.#parts, options.depth)
    this.completion = new Completion(this.#parts)
    this.outages = new HostOutages(this.#parts, this.completion)
    this.hosts = new HostCensus(hosts, tables.parked, schedule)
    this.resources = new ResourceRequests(this.#parts, {
      ignoreRobots: options.ignoreRobots,
      isOurs: (host) => this.mayRequest(host),
      free: (host, now) => this.completion.free(host, now),
    })
    const isByTime = order === undefined
    this.#swapping = new HostSwapping(hosts, tables.parked, schedule, isByTime)
    const { database } = store
    const times = new ClockCorrection(database, options, clock)
    this.snapshot = new SqliteSnapshot(database, times, this.#parts)
    this.leasedHosts = new LeasedHosts(database, times, this.#parts)
  }

  get unfinished(): number {
    return this.#parts.unfinished.total
  }

  get waiting(): number {
    return this.#parts.unfinished.total - this.#parts.inFlight.size
  }

  get settleOrder(): SettleOrder | undefined {
    return this.#parts.order
  }

  get wakeAt(): number | undefined {
    const at = Math.min(this.#swapping.wakeAt, this.#parts.inFlight.retryAt ?? Infinity)
    return at < Infinity ? at : undefined
  }

  get isPaused(): boolean {
    return false
  }

  get isStuck(): boolean {
    const { inFlight, robotsRequests, lookUps, probes } = this.#parts
    const isIdle = inFlight.size + robotsRequests.size + lookUps.size + probes.size === 0
    return isIdle && this.wakeAt === undefined && this.unfinished > 0
  }

  get traps(): readonly TrapExample[] {
    return this.#parts.traps?.examples() ?? []
  }

  urlOf(id: number): string | undefined {
    return this.#parts.tables.urls.urlOf(id)
  }

  addSeed(url: string, now: number): void {
    this.addFound(now, { urls: [url], place: startPlace('seed') })
  }

  addSitemaps(urls: readonly string[], now: number): void {
    this.addFound(now, { urls, place: startPlace('sitemap') })
  }

  take(max: number, now: number): Action[] {
    const { inFlight, schedule } = this.#parts
    if ((inFlight.retryAt ?? Infinity) <= now) {
      for (const host of inFlight.wake(now)) schedule.place(host, now)
    }
    this.#swapping.turn(now)
    let actions = this.#planner.take(max, now)
    if (actions.length === 0 && this.#stopWaiting(now)) actions = this.#planner.take(max, now)
    this.#parts.tables.urls.flush()
    return actions
  }

  visited(id: number, findings: Findings, now: number): void {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined) return
    this.#learnTraps(url, findings)
    const { keepLinks, attempt } = url.crawlUrl
    const { sameDepth, packedLinks } = findings
    const place = placeOf(url)
    if (keepLinks) this.#parts.tables.outlinks.put(id, place.depth, packedLinks, sameDepth)
    this.addLinks(id, findings, now)
    const isBehind = url.shorter !== undefined || attempt > 1
    if (isBehind) this.addFound(now, ...this.#discovery.outlinksOf(id, place))
    this.completion.settle(url, URL_STATE.visited, now)
  }

  addLinks(id: number, { discovered, nearer, sameDepth }: LinkedUrls, now: number): void {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined) return
    const place = placeOf(url)
    const urls = nearer.length === 0 ? discovered : [...discovered, ...nearer]
    if (urls.length + sameDepth.length === 0) return
    const further = { urls, place: linkPlace(id, place), page: url.crawlUrl.url }
    this.addFound(now, further, ...sameDepthUrls(id, place, sameDepth))
  }

  failed(id: number, now: number): void {
    const url = this.#parts.inFlight.get(id)
    if (url !== undefined) this.completion.settle(url, URL_STATE.failed, now)
  }

  retry(id: number, after: number | undefined, now: number): void {
    const { inFlight, tables } = this.#parts
    const url = inFlight.get(id)
    if (url === undefined) return
    if (after !== undefined) tables.urls.countFailure(id)
    const pause = url.host.failure === undefined ? (after ?? 0) : 0
    if (url.isAnswered === true) inFlight.reopen(id)
    else this.completion.free(url.host, now)
    inFlight.postpone(url, now + pause, now)
  }

  returnUnsent(id: number, now: number): void {
    const { inFlight, schedule } = this.#parts
    const url = inFlight.get(id)
    if (url === undefined) return
    inFlight.returnUnsent(url)
    schedule.freed(url.host, now)
  }

  takeHostsToRecall(): string[] {
    const { hostsToRecall } = this.#parts
    const hosts = [...hostsToRecall]
    hostsToRecall.clear()
    return hosts
  }

  endQueueing(): void {
    this.#parts.hosts.share.endQueueing()
  }

  report(id: number, report: HostReport, now: number): FailedHost | undefined {
    const { inFlight, schedule } = this.#parts
    const host = inFlight.get(id)?.host
    if (host === undefined || !this.completion.report(host, report, now)) return undefined
    inFlight.retryNow(host)
    schedule.rouse(host, now)
    const { hasAnswered } = host.availability
    return { key: host.key, reason: host.failure ?? '', waiting: host.urls.size, hasAnswered }
  }

  setRobots(origin: string, reply: RobotsReply, now: number, retries: RobotsRetries = 'all'): void {
    const { hosts, robotsRequests, schedule } = this.#parts
    const sequel = robotsRequests.end(origin, reply, now, retries)
    if (sequel === undefined) return
    if (reply.access === 'disallow-all') schedule.endTurn(sequel.answeredBy)
    this.completion.free(sequel.answeredBy, now)
    const host = hosts.load(hostKey(`${origin}/`))
    if (host.robots.crawlDelay > 0) this.#parts.hostsToRecall.add(host.key)
    schedule.review(host, now)
    if (sequel.next !== undefined) schedule.review(sequel.next, now)
  }

  setAddress(key: string, address: string | undefined, now: number): void {
    const { lookUps, schedule } = this.#parts
    const host = lookUps.end(key, address)
    if (host !== undefined) schedule.place(host, now)
  }

  admit(limit: number, now: number): void {
    const { hosts, order, schedule } = this.#parts
    for (const key of order?.admit(limit) ?? []) schedule.place(hosts.load(key), now)
  }

  close(): void {
    this.#store.close()
  }

  /** Returns whether this process may make requests to a host. */
  protected mayRequest(_host: string): boolean {
    return true
  }

  /** Adds URLs that were found. */
  protected addFound(now: number, ...found: FoundUrls[]): void {
    const { schedule } = this.#parts
    for (const host of this.#discovery.add(now, ...found)) schedule.place(host, now)
  }

  /** Passes the signals of a page to the trap guard. If it trusts a pattern again, deferred URLs are ready again. */
  #learnTraps(
    { crawlUrl, host }: UrlInFlight,
    { trapSignals: signals, discovered }: Findings,
  ): void {
    if (signals === undefined) return
    const page = { signals, depth: crawlUrl.depth, discovered }
    if (this.#parts.traps?.visited(crawlUrl.url, page, host.key)) host.urls.restoreDeferred()
  }

  /** Stops waiting for dormant hosts if nothing else is left to do. Returns whether there were any. */
  #stopWaiting(now: number): boolean {
    const { inFlight, robotsRequests, probes, lookUps } = this.#parts
    const others = robotsRequests.size + probes.size + lookUps.size + this.resources.size
    const requests = inFlight.unanswered + others
    return requests === 0 && this.#swapping.giveUpDormant(now)
  }
}
