import { DamageError } from '../errors.ts'
import type { Action } from '../frontier/action.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { Output } from '../output/output.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { VisitStore } from '../state/visit-store.ts'
import type { AddressLookups } from './dns/address-lookups.ts'
import type { OutcomeHandler } from './outcomes/outcome-handler.ts'
import type { PageRendering } from './rendering/page-rendering.ts'
import type { RunningTotals } from './stats/running-totals.ts'
import type { SharedMemory } from './worker-pool/shared-memory.ts'
import type { WorkerPool } from './worker-pool/worker-pool.ts'

/** Maximum number of actions in one turn of the event loop: a host may have a million URLs to skip. */
const ACTIONS_PER_TURN = 1_000

interface DispatcherParts {
  readonly config: { readonly revisitAfter?: number | undefined }
  readonly frontier: Pick<
    Frontier,
    'isStuck' | 'resources' | 'take' | 'takeHostsToRecall' | 'unfinished'
  >
  /** Returns true while the reader of an output is too slow. */
  readonly isCongested: () => boolean
  readonly lookups: AddressLookups
  readonly memory: Pick<SharedMemory, 'raiseDeepest'>
  readonly outcomes: OutcomeHandler
  readonly output: Output
  readonly pool: WorkerPool
  /** Undefined without `--render`. */
  readonly rendering: Pick<PageRendering, 'decide' | 'refuse'> | undefined
  readonly tally: Pick<RunningTotals, 'pagesLeft'>
  /** Undefined for a crawl that is not kept. */
  readonly visits: VisitStore | undefined
}

/** Carries out the actions of the frontier: most of them assign URLs to workers. */
export class Dispatcher {
  readonly #parts: DispatcherParts

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /** Number of URLs that may be assigned now. */
  get room(): number {
    const { isCongested, pool } = this.#parts
    return isCongested() ? 0 : Math.min(pool.room, this.#pagesLeft - pool.inFlight)
  }

  /** Number of pages that `--max-pages` still allows, minus the outcomes that are held back: they may still count. */
  get #pagesLeft(): number {
    const { outcomes, tally } = this.#parts
    return tally.pagesLeft - outcomes.held
  }

  /**
   * Carries out actions as long as there is room.
   * @throws DamageError if URLs wait whose hosts are missing in the frontier
   */
  dispatch(): void {
    const { frontier, outcomes, pool } = this.#parts
    for (const host of frontier.takeHostsToRecall()) pool.recall(host)
    // Held failures count now: no further request will show whether their hosts are at fault.
    if (this.#pagesLeft <= 0 && pool.inFlight === 0) this.#write(outcomes.countHeld())
    for (let left = ACTIONS_PER_TURN; left > 0 && this.room > 0; ) {
      const actions = frontier.take(Math.min(left, this.room), performance.now())
      if (actions.length === 0) break
      this.#carryOut(actions)
      left -= actions.length
    }
    if (this.room <= 0 || !pool.isIdle || !frontier.isStuck) return
    throw new DamageError(`urls: ${frontier.unfinished} of them wait, but their hosts are missing`)
  }

  /** Hands out the requests of rendered pages, even if there is no room: the pages that wait for them occupy it. */
  dispatchResources(): void {
    const { frontier, lookups, pool, rendering } = this.#parts
    if (rendering === undefined) return
    rendering.decide()
    for (const action of frontier.resources.take(performance.now())) {
      if (action.type === 'refuse') rendering.refuse(action.id, action.reason)
      else if (action.type === 'resource') pool.fetchResource(action)
      else if (action.type === 'robots') pool.request(action)
      else void lookups.find(action.host)
    }
  }

  #carryOut(actions: readonly Action[]): void {
    const { memory, outcomes, pool } = this.#parts
    const together: CrawlUrl[] = []
    const alone: CrawlUrl[] = []
    for (const action of actions) {
      if (action.type === 'visit') {
        const crawlUrl = this.#withPastContent(action.crawlUrl)
        // This comes before workers get the URL: they compare the greatest depth with the depth of their links.
        memory.raiseDeepest(crawlUrl.depth)
        const group = outcomes.runsAlone(crawlUrl.id) ? alone : together
        group.push(crawlUrl)
      } else this.#carryOutOne(action)
    }
    pool.assign(together)
    for (const crawlUrl of alone) pool.assignAlone(crawlUrl)
  }

  /** Carries out an action other than a visit. */
  #carryOutOne(action: Exclude<Action, { readonly type: 'visit' }>): void {
    const { lookups, outcomes, pool } = this.#parts
    switch (action.type) {
      case 'robots':
      case 'probe':
        pool.request(action)
        break
      case 'look-up':
        void lookups.find(action.host)
        break
      case 'count-failures':
        this.#write(outcomes.countHeld(action.ids))
        break
      case 'skip':
        this.#write(outcomes.skip(action.crawlUrl, action.reason, action.rule))
        break
      case 'fail': {
        const crawlUrl = this.#withPastContent(action.crawlUrl)
        const code = action.error ?? 'robots-unreachable'
        this.#write(outcomes.giveUp(crawlUrl, code, action.reason))
        break
      }
    }
  }

  #write(visits: readonly Delivery[]): void {
    if (visits.length > 0) this.#parts.output.write(visits)
  }

  /** Adds the content of the last visit, for a crawl that reports changes. */
  #withPastContent(crawlUrl: CrawlUrl): CrawlUrl {
    const { config, visits } = this.#parts
    if (config.revisitAfter === undefined || visits === undefined) return crawlUrl
    // A page that is read again for its links gets no record. With its old content it might get a 304 without a body.
    if (crawlUrl.isReread) return crawlUrl
    return { ...crawlUrl, before: visits.contentOf(crawlUrl.id, crawlUrl.depth) ?? null }
  }
}
