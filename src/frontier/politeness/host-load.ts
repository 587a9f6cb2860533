import type { HostRecord } from '../sqlite/host-store.ts'
import type { ReadyUrl } from '../sqlite/stored-url.ts'
import { Budget } from './budget.ts'
import { Pace } from './pace.ts'
import type { Manners } from './politeness.ts'

/** What is kept of it. */
type LoadRecord = Pick<HostRecord, 'notBefore' | 'pause' | 'pages'>

/** The requests to one host: how many there are and were, and when the next one may be made. */
export class HostLoad {
  budget = new Budget()
  /** Requests since it came into memory. */
  turns = 0
  readonly #manners: Manners
  readonly #pace: Pace
  #inFlight = 0
  #pages: number

  constructor(manners: Manners, record: LoadRecord) {
    this.#manners = manners
    this.#pace = new Pace(manners, record)
    this.#pages = record.pages
  }

  get record(): LoadRecord {
    return { ...this.#pace.record, pages: this.#pages }
  }

  /** Requests that are under way. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Pages that were asked for, each once. */
  get pages(): number {
    return this.#pages
  }

  /** Whether so many pages were asked for that this one is too many. */
  hasEnough({ attempts }: ReadyUrl): boolean {
    return attempts === 0 && this.#pages >= (this.#manners.maxPerHost ?? Number.POSITIVE_INFINITY)
  }

  /** Goes on from what another process knows. */
  resume({ pause, pages }: Pick<LoadRecord, 'pause' | 'pages'>): void {
    this.#pace.resume(pause)
    this.#pages = pages
  }

  /** A request begins. */
  asked(isNewPage: boolean): void {
    this.turns++
    this.#inFlight++
    this.budget.inFlight++
    if (isNewPage) this.#pages++
  }

  /** A request has ended: the delay runs from here. */
  answered(crawlDelay: number, now: number): void {
    this.#inFlight--
    this.budget.inFlight--
    const { delay } = this.#pace
    this.budget.notBefore = Math.max(this.budget.notBefore, now + delay)
    this.setAside(now + Math.max(delay, crawlDelay))
  }

  /** No request before that time. */
  setAside(until: number): void {
    this.#pace.setAside(until)
  }

  /** An answer, or a failure, took so long. */
  learn(ms: number, isFailure: boolean): void {
    this.#pace.learn(ms, isFailure)
  }

  /** When the next request may be made; or for what it has to wait instead. */
  next(crawlDelay: number): number | 'blocked' | 'crowded' {
    const { perHost, delay, adaptive } = this.#manners
    const inFlightOfAddress = delay > 0 || adaptive === true ? 1 : perHost
    if (this.#inFlight >= (crawlDelay > 0 ? 1 : inFlightOfAddress)) return 'blocked'
    if (this.budget.inFlight >= inFlightOfAddress) return 'crowded'
    return Math.max(this.#pace.notBefore, this.budget.notBefore)
  }
}
