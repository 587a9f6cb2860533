import type { LoadRecord } from '../storage/stored-host.ts'
import type { ReadyUrl } from '../storage/stored-url.ts'
import type { ConnectionShare } from './connection-share.ts'
import type { DomainBudget } from './domain-budgets.ts'
import { OverloadControl } from './overload-control.ts'
import { Pace } from './pace.ts'
import type { PolitenessOptions } from './politeness-options.ts'

/** Maximum duration of a quick request, in milliseconds. */
export const QUICK_MS = 2_000

/** Number of quick requests in a row that make a host quick. */
const QUICK_REQUESTS = 3

/** The load that all hosts at one address share with `--per-ip`; otherwise each host has its own. */
export class AddressLoad {
  #inFlight = 0
  #notBefore = 0

  /** Requests in flight, for robots.txt too. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** No request before this time, in milliseconds of the monotonic clock. */
  get notBefore(): number {
    return this.#notBefore
  }

  /** Notes that a request begins. */
  began(): void {
    this.#inFlight++
  }

  /** Notes that a request was not sent after all. */
  returnUnsent(): void {
    this.#inFlight--
  }

  /** Notes that a request has ended, and allows the next one no earlier than `notBefore`. */
  ended(notBefore: number): void {
    this.#inFlight--
    this.#notBefore = Math.max(this.#notBefore, notBefore)
  }
}

/** The limits that a host shares with others. */
interface SharedLoads {
  readonly share: ConnectionShare
  /** Undefined without `--max-per-domain`. */
  readonly domain: DomainBudget | undefined
}

/** A limit that keeps a page from being requested. */
type PageLimit = 'limit' | 'domain-limit'

/** The requests to one host: their numbers, and when the next one may be made. */
export class HostLoad {
  readonly #options: PolitenessOptions
  readonly #pace: Pace
  /** Undefined until the host has refused a request, since most hosts refuse none. */
  #overload: OverloadControl | undefined
  #atAddress = new AddressLoad()
  #sharesAddress = false
  #requests = 0
  #inFlight = 0
  #pages: number
  readonly #share: ConnectionShare
  readonly #domain: DomainBudget | undefined
  /**
   * Requests in flight that the host has earned by its responses, like TCP's congestion window. Hosts whose requests
   * time out must not occupy all connections.
   */
  #window = 1
  /** Number of quick and successful requests in a row. */
  #successes = 0
  /** Number of quick requests for pages in a row, successful or not. */
  #quickRequests = 0

  constructor(options: PolitenessOptions, record: LoadRecord, { share, domain }: SharedLoads) {
    this.#options = options
    this.#share = share
    this.#domain = domain
    this.#pace = new Pace(options, record)
    this.#pages = record.pages
  }

  get record(): LoadRecord {
    return { ...this.#pace.record, pages: this.#pages }
  }

  /** The load of the host's address. */
  get atAddress(): AddressLoad {
    return this.#atAddress
  }

  /** Requests since the host came into memory. */
  get requests(): number {
    return this.#requests
  }

  /** Requests in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** True if the host's last pages came quickly. A quick robots.txt proves nothing: tar pits have one. */
  get isQuick(): boolean {
    return this.#quickRequests >= QUICK_REQUESTS
  }

  /** Pages that were requested, each once. */
  get pages(): number {
    return this.#pages
  }

  /** Pause between two requests, without the Crawl-delay of robots.txt. */
  get delay(): number {
    return Math.max(this.#pace.delay, this.#overload?.pause ?? 0)
  }

  /** True if other hosts may be at its address, and share its load. */
  get sharesAddress(): boolean {
    return this.#sharesAddress
  }

  /** Shares the load of an address with other hosts. */
  share(load: AddressLoad): void {
    this.#atAddress = load
    this.#sharesAddress = true
  }

  /** Returns the limit that a URL would exceed: that of the host, or that of its registrable domain. */
  limitOf({ attempts }: ReadyUrl): PageLimit | undefined {
    if (attempts > 0) return undefined
    if (this.#pages >= (this.#options.maxPerHost ?? Number.POSITIVE_INFINITY)) return 'limit'
    return this.#domain?.isSpent === true ? 'domain-limit' : undefined
  }

  /** Continues with the values of another process. */
  resume({ pause, pages }: Pick<LoadRecord, 'pause' | 'pages'>): void {
    this.#pace.resume(pause)
    this.#pages = pages
  }

  /** Notes that a request begins. */
  began(): void {
    if (this.#inFlight === 0) this.#share.hostBegan()
    this.#requests++
    this.#addInFlight(1)
    this.#atAddress.began()
  }

  /** Notes that a request was not sent after all: the next one needs no pause. */
  returnUnsent(): void {
    this.#requests--
    this.#addInFlight(-1)
    if (this.#inFlight === 0) this.#share.hostEnded()
    this.#atAddress.returnUnsent()
  }

  /** Counts the first request for a page towards the limits of the host and its domain. */
  countPage(): void {
    this.#pages++
    this.#domain?.spend()
  }

  /** Takes back `countPage`, since the request was not sent after all. */
  uncountPage(): void {
    this.#pages--
    this.#domain?.refund()
  }

  /** Notes that a request has ended: the delay runs from here. Returns the pause before the next request. */
  ended(crawlDelay: number, now: number): number {
    this.#addInFlight(-1)
    if (this.#inFlight === 0) this.#share.hostEnded()
    const { delay } = this
    const { jitter = 0, random = () => 0 } = this.#options
    const lengthening = jitter === 0 ? 1 : 1 + jitter * random()
    const pause = lengthening * Math.max(delay, crawlDelay)
    this.#atAddress.ended(now + lengthening * delay)
    this.pauseUntil(now + pause)
    return pause
  }

  /** Allows no request before a time. */
  pauseUntil(until: number): void {
    this.#pace.pauseUntil(until)
  }

  /** Adapts the pause and the requests in flight to the duration of a request for a page. */
  learn(latency: number, isFailure: boolean, now: number): void {
    this.#pace.learn(latency, isFailure)
    const { perHost, timeout = Number.POSITIVE_INFINITY } = this.#options
    const isFast = latency < timeout / 2
    this.#window = isFast ? Math.min(perHost, this.#window + 1) : 1
    this.#successes = isFast && !isFailure ? this.#successes + 1 : 0
    this.#learnQuickness(latency, now)
  }

  /** Notes that the host accepted a request. @param wasRefused true if the URL had been refused before */
  accepted(wasRefused: boolean): void {
    this.#overload?.accepted(wasRefused)
  }

  /** Notes that the host refused the first request for a URL. If it refuses several, it gets fewer. */
  refused(handedOutAt: number, now: number): void {
    // Without retries, it would never turn out that the URLs are at fault.
    if (this.#options.retries === 0) return
    this.#overload ??= new OverloadControl(this.#options.perHost)
    this.#overload.refused(handedOutAt, now, this.delay)
  }

  /** Notes that the host refused a URL again. If that happens often, the number of requests isn't to blame. */
  refusedAgain(): void {
    this.#overload?.refusedAgain()
  }

  #learnQuickness(latency: number, now: number): void {
    const wasQuick = this.isQuick
    this.#quickRequests = latency < QUICK_MS ? this.#quickRequests + 1 : 0
    if (this.isQuick) this.#share.quickHostResponded(now)
    if (this.isQuick !== wasQuick) {
      this.#share.addUnproven(wasQuick ? this.#inFlight : -this.#inFlight)
    }
  }

  #addInFlight(requests: number): void {
    this.#inFlight += requests
    if (!this.isQuick) this.#share.addUnproven(requests)
  }

  /**
   * Returns when the next request may be made. If it must wait for the end of another request, returns `blocked` (a
   * request to this host) or `crowded` (a request to any host at its address).
   */
  next(crawlDelay: number): number | 'blocked' | 'crowded' {
    const { perHost, delay, adaptive } = this.#options
    const perAddress = delay > 0 || adaptive === true ? 1 : perHost
    const mayQueue = crawlDelay > 0 ? 0 : this.#queueable
    const running = this.#inFlight - mayQueue
    if (running >= (crawlDelay > 0 ? 1 : perAddress)) return 'blocked'
    if (running >= (this.#overload?.limit ?? perHost)) return 'blocked'
    if (running >= Math.max(this.#window, this.#share.ofEach)) return 'blocked'
    if (this.#atAddress.inFlight - mayQueue >= perAddress) return 'crowded'
    return Math.max(this.#pace.notBefore, this.#atAddress.notBefore)
  }

  /** Maximum URLs that may wait in workers: none until `perHost` requests in a row were quick and successful. */
  get #queueable(): number {
    if (this.#options.delay > 0 || this.#overload?.isLowered === true) return 0
    return this.#successes < this.#options.perHost ? 0 : this.#share.queuedPerHost
  }
}
