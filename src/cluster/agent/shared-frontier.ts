import type { Action } from '../../frontier/action.ts'
import type { FrontierOptions } from '../../frontier/frontier.ts'
import type { FoundUrls } from '../../frontier/shortest-path/discovery.ts'
import { SqliteFrontier } from '../../frontier/sqlite/sqlite-frontier.ts'
import type { Findings } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Store } from '../../state/store.ts'
import { hostKey } from '../../url/host-key.ts'
import type { PushedUrl } from '../redis/exchange.ts'
import { HostLeases } from './host-leases.ts'
import { encodeQueuedUrl } from './queued-url.ts'

/** Which URLs count as seeds: they may take the scope to another host. */
interface SeedChain {
  has(url: string): boolean
  addToChain(url: string): void
}

/**
 * The frontier of a process that takes part in a job. It works on the hosts that it holds and on no
 * other, so it keeps their manners as if it were alone; what it finds goes to the shared queue, and
 * what it works on comes from there. It talks to nobody: `crawl/job/` carries what goes in and out.
 */
export class SharedFrontier extends SqliteFrontier {
  /** Hosts that are held. */
  readonly leases: HostLeases
  readonly #depthLimit: number
  readonly #seeds: SeedChain
  #found: PushedUrl[] = []
  /** URLs in the shared queue. */
  queuedInJob = 0
  /** Nothing is left, here or elsewhere. */
  isOver = false
  /** Nothing is to be handed out. */
  isPaused = false
  /** The last time there was less to hand out than could have been. */
  isHungry = true
  /** Told when there is something to be carried away. */
  onNews: () => void = () => {}

  constructor(options: FrontierOptions, store: Store, seeds: SeedChain) {
    super(options, store)
    this.#depthLimit = options.depth
    this.#seeds = seeds
    this.leases = new HostLeases(this.leasedHosts, (url) => seeds.addToChain(url))
  }

  override get unfinished(): number {
    return this.isOver ? 0 : Math.max(1, super.unfinished)
  }

  override get waiting(): number {
    return Math.max(super.waiting, this.queuedInJob)
  }

  override get wakeAt(): number | undefined {
    return this.isPaused ? undefined : super.wakeAt
  }

  /** What waits is in the shared queue. */
  override get isStuck(): boolean {
    return false
  }

  /** Whether anything here has to be told before the job may be over. */
  get hasNews(): boolean {
    return this.#found.length > 0 || this.leases.size > 0
  }

  override take(max: number, now: number): Action[] {
    if (this.isPaused || !this.leases.areSafe) return []
    const orders = super.take(max, now)
    const wasHungry = this.isHungry
    this.isHungry = orders.length < max
    if (this.isHungry && !wasHungry) this.onNews()
    return orders.map((order) => this.#dress(order))
  }

  override visited(id: number, findings: Findings, now: number): void {
    super.visited(id, findings, now)
    this.#finish(id)
  }

  override failed(id: number, now: number): void {
    super.failed(id, now)
    this.#finish(id)
  }

  override retry(id: number, after: number | undefined, now: number): void {
    if (this.completion.isLost(id)) this.failed(id, now)
    else super.retry(id, after, now)
  }

  /** What was found since the last call. */
  takeFound(): PushedUrl[] {
    const found = this.#found
    this.#found = []
    return found
  }

  /** What is found goes to the shared queue; whether it is new is found out there. */
  protected override addFound(_: number, ...offers: FoundUrls[]): void {
    for (const { urls, place } of offers) {
      const { depth, sidesteps, redirects, hop, via: page } = place
      if (depth > this.#depthLimit) continue
      const via = page === null ? undefined : this.leases.find(page)?.url
      for (const url of urls) {
        const isSeed = this.#seeds.has(url)
        const text = encodeQueuedUrl({ url, sidesteps, redirects, hop, via, isSeed })
        this.#found.push({ url, host: hostKey(url), depth, text })
      }
    }
    this.onNews()
  }

  /** What came from the shared queue gets back what the books here have no room for. */
  #dress(order: Action): Action {
    if (!('crawlUrl' in order)) return order
    const crawlUrl = this.#withVia(order.crawlUrl)
    if (order.type === 'keep-out' || order.type === 'skip') this.#finish(crawlUrl.id)
    return { ...order, crawlUrl }
  }

  #withVia(crawlUrl: CrawlUrl): CrawlUrl {
    const via = this.leases.find(crawlUrl.id)?.via
    return via === undefined ? crawlUrl : { ...crawlUrl, via }
  }

  #finish(id: number): void {
    this.leases.finish(id)
    this.onNews()
  }
}
