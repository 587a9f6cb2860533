import type { Order } from '../frontier/orders.ts'
import type { Output } from '../output/output.ts'
import { originOf } from '../url/origin.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { RobotsAnswer } from '../wire/messages.ts'
import type { CrawlState } from './crawl-state.ts'
import { Settlement } from './settlement.ts'
import { sitemapsOf } from './sitemaps.ts'
import { WorkerPool } from './worker-pool.ts'

/** Why a crawl ended. */
export type EndReason = 'finished' | 'max-pages' | 'max-time' | 'stopped' | 'output-closed'

/** Timers can't be set for longer; waking up early does no harm. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * The loop between frontier and workers, on the main thread: it hands out what may be fetched,
 * takes in what was found, and passes the records on. It ends by exact counts, never by a timer.
 */
export class Coordinator {
  readonly #state: CrawlState
  readonly #output: Output
  readonly #pool: WorkerPool
  readonly #settlement: Settlement
  readonly #ended = Promise.withResolvers<EndReason>()
  #ending: EndReason | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(state: CrawlState, output: Output) {
    this.#state = state
    this.#output = output
    this.#pool = this.#startPool()
    this.#settlement = new Settlement(state, (url) => this.#pool.broadcast({ type: 'widen', url }))
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
      await this.#addSeeds()
      this.#pump()
      return await this.#ended.promise
    } finally {
      clearTimeout(deadline)
      clearTimeout(this.#timer)
      await this.#pool.close()
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
      robots: (origin, answer) => this.#setRobots(origin, answer),
      cookies: ({ url, setCookies }) => this.#state.cookies?.take(url, setCookies),
      died: (crawlUrls, owner, error) => this.#bury(crawlUrls, owner, error),
      hopeless: (error) => this.#ended.reject(error),
    })
  }

  async #addSeeds(): Promise<void> {
    const { config, frontier, memory, seeds } = this.#state
    await memory.addIfNew(seeds.urls)
    // The frontier knows each URL once: seeds given twice are one.
    for (const url of seeds.urls) frontier.addSeed(url, performance.now())
    if (!config.ignoreRobots) return
    for (const origin of new Set(seeds.urls.map(originOf))) this.#addSitemaps(origin)
  }

  /** Once robots.txt of an origin was read, or at once where it is not asked for. */
  #addSitemaps(origin: string, answer?: RobotsAnswer): void {
    const { config, frontier, memory, scope, seeds } = this.#state
    // Of the seeds only: what enters at depth 0 later than their pages would come too late for some.
    if (!config.sitemaps || !seeds.isOrigin(origin)) return
    const urls = sitemapsOf(origin, answer, (url) => scope.contains(url))
    void memory.addIfNew(urls)
    frontier.addSitemaps(urls, performance.now())
  }

  #continue(records: readonly string[]): void {
    if (records.length > 0) this.#output.write(records)
    this.#pump()
  }

  /** Hands out what may be handed out, or ends the crawl. */
  #pump(): void {
    clearTimeout(this.#timer)
    while (this.#room > 0) {
      const orders = this.#takeOrders()
      if (orders.length === 0) break
      this.#carryOut(orders)
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

  #takeOrders(): Order[] {
    return this.#state.frontier.take(this.#room, performance.now())
  }

  #carryOut(orders: readonly Order[]): void {
    const crawlUrls: CrawlUrl[] = []
    for (const order of orders) {
      if (order.type === 'visit') crawlUrls.push(order.crawlUrl)
      else if (order.type === 'robots') this.#pool.askRobots(order.origin)
      else if (order.type === 'keep-out') this.#settlement.keepOut(order.crawlUrl, order.rule)
      else this.#output.write(this.#settlement.giveUp(order.crawlUrl, order.reason))
    }
    // Before they are handed out: workers compare with it when they have found their links.
    for (const { depth } of crawlUrls) this.#state.memory.deepen(depth)
    this.#pool.assign(crawlUrls)
  }

  #setRobots(origin: string, answer: RobotsAnswer): void {
    this.#addSitemaps(origin, answer)
    this.#state.frontier.setRobots(origin, answer, performance.now())
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
