import { DamageError } from '../errors.ts'
import type { Action } from '../frontier/action.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Delivery } from '../records/delivery.ts'
import type { Output } from '../sinks/output.ts'
import type { AddressLookups } from './addresses/address-lookups.ts'
import type { CrawlState } from './crawl-state.ts'
import { pagesLeft } from './end-reason.ts'
import type { OutcomeHandler } from './outcomes/outcome-handler.ts'
import type { WorkerPool } from './worker-pool/worker-pool.ts'

/** Orders carried out in one turn of the event loop: a million URLs of a dead host are no reason to stall. */
const ORDERS_PER_TURN = 1_000

/** Hands out what may be handed out, as far as there is room for it. */
export class Dispatcher {
  readonly #state: CrawlState
  readonly #output: Output
  readonly #pool: WorkerPool
  readonly #settlement: OutcomeHandler
  readonly #lookUps: AddressLookups

  constructor(
    state: CrawlState,
    output: Output,
    pool: WorkerPool,
    settlement: OutcomeHandler,
    lookUps: AddressLookups,
  ) {
    this.#state = state
    this.#output = output
    this.#pool = pool
    this.#settlement = settlement
    this.#lookUps = lookUps
  }

  /** How many pages may be handed out now. */
  get room(): number {
    if (this.#output.congested || this.#state.skips.congested) return 0
    return Math.min(this.#pool.room, this.#pagesLeft - this.#pool.inFlight)
  }

  /** Failures that are held may count as well. */
  get #pagesLeft(): number {
    return pagesLeft(this.#state) - this.#settlement.outages.held
  }

  /** @throws DamageError when what waits would wait for ever */
  dispatch(): void {
    // Nothing further may be asked for, so nothing will tell whose failures they are.
    if (this.#pagesLeft <= 0 && this.#pool.inFlight === 0) this.#write(this.#settlement.countHeld())
    const { frontier } = this.#state
    for (let left = ORDERS_PER_TURN; left > 0 && this.room > 0; ) {
      const orders = frontier.take(Math.min(left, this.room), performance.now())
      if (orders.length === 0) break
      this.#carryOut(orders)
      left -= orders.length
    }
    if (this.room <= 0 || !this.#pool.isIdle || !frontier.isStuck) return
    throw new DamageError(`urls: ${frontier.unfinished} of them wait, and no host leads to them`)
  }

  #carryOut(orders: readonly Action[]): void {
    const crawlUrls: CrawlUrl[] = []
    for (const order of orders) {
      if (order.type === 'visit') crawlUrls.push(this.#withPast(order.crawlUrl))
      else if (order.type === 'robots' || order.type === 'probe') this.#pool.ask(order)
      else if (order.type === 'count-failures') this.#write(this.#settlement.countHeld(order.ids))
      else if (order.type === 'look-up') void this.#lookUps.find(order.host)
      else if (order.type === 'keep-out')
        this.#write(this.#settlement.keepOut(order.crawlUrl, order.rule))
      else if (order.type === 'skip')
        this.#write(this.#settlement.skip(order.crawlUrl, order.reason))
      else this.#giveUp(order.crawlUrl, order.reason)
    }
    // Before they are handed out: workers compare with it when they have found their links.
    for (const { depth } of crawlUrls) this.#state.memory.raiseDeepest(depth)
    this.#pool.assign(crawlUrls)
  }

  #giveUp(crawlUrl: CrawlUrl, reason: string): void {
    const code = 'robots-unreachable'
    this.#write(this.#settlement.giveUp(this.#withPast(crawlUrl), code, reason))
  }

  #write(visits: readonly Delivery[]): void {
    if (visits.length > 0) this.#output.write(visits)
  }

  /** With what the last visit gave, where it is to be compared. */
  #withPast(crawlUrl: CrawlUrl): CrawlUrl {
    const { config, visits } = this.#state
    if (config.revisitAfter === undefined || visits === undefined) return crawlUrl
    // Nobody is told how it has changed, and without a body it has no links.
    if (crawlUrl.isReread) return crawlUrl
    return { ...crawlUrl, before: visits.contentOf(crawlUrl.id, crawlUrl.depth) ?? null }
  }
}
