import type { RobotsRule } from '../robots/parse.ts'
import { originOf } from '../url/origin.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Books } from './books.ts'
import type { HostQueue } from './host-queue.ts'
import { ALLOWED, type KeptOut } from './host-robots.ts'
import { HostSchedule } from './host-schedule.ts'
import { crawlUrlOf } from './leases.ts'
import { STATE } from './tables.ts'
import type { ReadyUrl } from './url-store.ts'

/** What is to be done next. */
export type Order =
  | { readonly type: 'visit'; readonly crawlUrl: CrawlUrl }
  | { readonly type: 'robots'; readonly origin: string }
  | { readonly type: 'give-up'; readonly crawlUrl: CrawlUrl; readonly reason: string }
  | { readonly type: 'keep-out'; readonly crawlUrl: CrawlUrl; readonly rule: RobotsRule }

/** Turns what waits into orders, host by host, as manners and robots.txt allow. */
export class Orders {
  readonly schedule = new HostSchedule()
  readonly #books: Books
  readonly #ignoreRobots: boolean

  constructor(books: Books, ignoreRobots: boolean) {
    this.#books = books
    this.#ignoreRobots = ignoreRobots
  }

  take(max: number, now: number): Order[] {
    const orders: Order[] = []
    while (orders.length < max) {
      const host = this.schedule.next(now)
      if (host === undefined) break
      const order = this.#orderFrom(host, now)
      if (order !== undefined) orders.push(order)
      this.schedule.place(host, now)
    }
    return orders
  }

  #orderFrom(host: HostQueue, now: number): Order | undefined {
    const { head } = host
    if (head === undefined || host.status(now) !== 'ready') return undefined
    const verdict = this.#ignoreRobots ? ALLOWED : host.robots.verdict(originOf(head.url), head.url)
    if (verdict.type === 'allowed') {
      return { type: 'visit', crawlUrl: this.#books.leases.grant(host, head) }
    }
    if (verdict.type === 'unknown') return askForRobots(host, originOf(head.url))
    return this.#keepOut(host, head, verdict)
  }

  #keepOut(host: HostQueue, head: ReadyUrl, verdict: KeptOut): Order {
    const { urls, unfinished } = this.#books
    const crawlUrl = crawlUrlOf(head, head.depth)
    host.shift()
    unfinished.remove(head.depth)
    const forbidden = verdict.type === 'forbidden'
    urls.setState(head.id, forbidden ? STATE.forbidden : STATE.failed)
    if (forbidden) return { type: 'keep-out', crawlUrl, rule: verdict.rule }
    return { type: 'give-up', crawlUrl, reason: verdict.reason }
  }
}

function askForRobots(host: HostQueue, origin: string): Order {
  host.robots.asking = origin
  host.inFlight++
  return { type: 'robots', origin }
}
