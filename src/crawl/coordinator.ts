import type { Order } from '../frontier/orders.ts'
import type { Output } from '../output/output.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { RobotsReply } from '../wire/messages.ts'
import { AddressBook } from './address-book.ts'
import type { CrawlState } from './crawl-state.ts'
import { Intake } from './intake.ts'
import { Settlement } from './settlement.ts'
import { waitsOf } from './waits.ts'
import { Watchdog } from './watchdog.ts'
import { WorkerPool } from './worker-pool.ts'

/** Why a crawl ended. */
export type EndReason = 'finished' | 'max-pages' | 'max-time' | 'stopped' | 'output-closed'

/** Timers can't be set for longer; waking up early does no harm. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Orders carried out in one turn of the event loop: a million URLs of a dead host are no reason to stall. */
const ORDERS_PER_TURN = 1_000

/**
 * The loop between frontier and workers, on the main thread: it hands out what may be fetched,
 * takes in what was found, and passes the records on. It ends by exact counts, never by a timer.
 */
export class Coordinator {
  readonly #state: CrawlState
  readonly #output: Output
  readonly #pool: WorkerPool
  readonly #settlement: Settlement
  readonly #intake: Intake
  readonly #addresses: AddressBook
  readonly #watchdog: Watchdog
  readonly #ended = Promise.withResolvers<EndReason>()
  #ending: EndReason | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(state: CrawlState, output: Output) {
    this.#state = state
    this.#output = output
    this.#pool = this.#startPool()
    this.#settlement = new Settlement(state, (url) => this.#pool.broadcast({ type: 'widen', url }))
    this.#intake = new Intake(state)
    this.#addresses = new AddressBook(state.config.connectTimeout)
    this.#watchdog = new Watchdog(state.logger, state.tuning.silence, () =>
      waitsOf(state, this.#pool, output),
    )
    const events = {
      drained: () => this.#pump(),
      closed: () => this.#ended.resolve('output-closed'),
      failed: (error: Error) => this.#ended.reject(error),
    }
    output.open(events)
    state.skips.open(events)
  }

  get inFlight(): number {
    return this.#pool.inFlight
  }

  /** Crawls to the end; nothing is left running afterwards. */
  async run(): Promise<EndReason> {
    const { maxTime } = this.#state.config
    const stop = () => this.stop('max-time')
    const deadline = maxTime === undefined ? undefined : setTimeout(stop, maxTime)
    try {
      await this.#intake.addSeeds()
      this.#pump()
      return await this.#ended.promise
    } finally {
      clearTimeout(deadline)
      clearTimeout(this.#timer)
      this.#watchdog.stop()
      this.#addresses.close()
      await this.#pool.close()
      this.#isOver = true
      const { frontier, skips } = this.#state
      await skips.noteLeftOvers(frontier.unfinished, frontier.leftOvers())
      frontier.close()
      await this.#output.close()
      await skips.close()
    }
  }

  /** Lets what is in flight come to its end, and starts nothing new. */
  stop(reason: EndReason = 'stopped'): void {
    this.#ending ??= reason
    this.#pump()
  }

  #startPool(): WorkerPool {
    const { config, memory, scope, seeds } = this.#state
    const setup = (worker: number, owner: number) => {
      const tellSkipped = config.skipped !== undefined
      const cookies = this.#state.cookies?.lines
      const own = { cookies, tellSkipped, worker, owner }
      return { ...config, ...memory.shared, ...scope.setup, ...seeds.setup, ...own }
    }
    return new WorkerPool(config.workers, config.concurrency, setup, {
      settled: (settled) => this.#continue(this.#settlement.settle(settled)),
      robots: (origin, reply) => this.#setRobots(origin, reply),
      cookies: ({ url, setCookies }) => this.#state.cookies?.take(url, setCookies),
      died: (crawlUrls, owner, error) => this.#bury(crawlUrls, owner, error),
      hopeless: (error) => this.#ended.reject(error),
    })
  }

  #continue(records: readonly string[]): void {
    this.#watchdog.moved()
    if (records.length > 0) this.#output.write(records)
    this.#pump()
  }

  /** Hands out what may be handed out, or ends the crawl. */
  #pump(): void {
    clearTimeout(this.#timer)
    for (let left = ORDERS_PER_TURN; left > 0 && this.#room > 0; ) {
      const orders = this.#state.frontier.take(Math.min(left, this.#room), performance.now())
      if (orders.length === 0) break
      this.#carryOut(orders)
      left -= orders.length
    }
    const reason = this.#endReason()
    if (reason !== undefined) this.#ended.resolve(reason)
    else this.#sleep()
  }

  /** How many pages may be handed out now. */
  get #room(): number {
    const { config, skips, tally } = this.#state
    if (this.#ending !== undefined || this.#output.congested || skips.congested) return 0
    const { maxPages = Number.POSITIVE_INFINITY } = config
    return Math.min(this.#pool.room, maxPages - tally.visits - this.#pool.inFlight)
  }

  #carryOut(orders: readonly Order[]): void {
    const crawlUrls: CrawlUrl[] = []
    for (const order of orders) {
      if (order.type === 'visit') crawlUrls.push(order.crawlUrl)
      else if (order.type === 'robots') this.#pool.askRobots(order)
      else if (order.type === 'look-up') void this.#lookUp(order.host)
      else if (order.type === 'keep-out') this.#settlement.keepOut(order.crawlUrl, order.rule)
      else if (order.type === 'skip') this.#settlement.skip(order.crawlUrl, order.reason)
      else this.#output.write(this.#settlement.giveUp(order.crawlUrl, order.reason))
    }
    // Before they are handed out: workers compare with it when they have found their links.
    for (const { depth } of crawlUrls) this.#state.memory.deepen(depth)
    this.#pool.assign(crawlUrls)
  }

  async #lookUp(host: string): Promise<void> {
    const address = await this.#addresses.find(host)
    if (this.#isOver) return
    this.#state.frontier.setAddress(host, address, performance.now())
    this.#pump()
  }

  #setRobots(origin: string, reply: RobotsReply): void {
    const { frontier, seeds } = this.#state
    this.#watchdog.moved()
    this.#intake.addSitemaps(origin, reply)
    frontier.setRobots(origin, reply, performance.now(), seeds.isTentative(origin))
    this.#pump()
  }

  #bury(crawlUrls: readonly CrawlUrl[], owner: number, error: Error): void {
    const { logger, memory } = this.#state
    logger.warn({ err: error, urls: crawlUrls.length }, `A worker died: ${error.message}`)
    memory.release(owner)
    // It may have claimed links without telling: from now on known links are told as well, each once
    // per depth, and the frontier compares them with what it has.
    memory.deepen(Number.MAX_SAFE_INTEGER)
    this.#continue(this.#settlement.runAgain(crawlUrls, error))
  }

  #endReason(): EndReason | undefined {
    if (this.#pool.inFlight > 0) return undefined
    if (this.#ending !== undefined) return this.#ending
    const { config, frontier, tally } = this.#state
    if (frontier.unfinished === 0) return 'finished'
    return tally.visits >= (config.maxPages ?? Number.POSITIVE_INFINITY) ? 'max-pages' : undefined
  }

  #sleep(): void {
    const { wakeAt } = this.#state.frontier
    if (this.#room <= 0 || wakeAt === undefined) return
    const wait = Math.ceil(Math.max(0, wakeAt - performance.now()))
    this.#timer = setTimeout(() => this.#pump(), Math.min(wait, MAX_TIMER_MS))
  }
}
