import type { CookieJar } from '../cookies/cookie-jar.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { Logger } from '../logger.ts'
import type {
  ProbeReply,
  RenderRequest,
  ResourceFetched,
  RobotsFetched,
  SetCookies,
  SitemapPartRead,
} from '../messages/from-worker.ts'
import type { RenderReply } from '../messages/to-worker.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { CommitBarrier } from '../state/commit-barrier.ts'
import { type ClaimRecoveryParts, recoverClaims } from './outcomes/claim-recovery.ts'
import type { LoadedResources } from './outcomes/loaded-resources.ts'
import type { OutcomeHandler } from './outcomes/outcome-handler.ts'
import type { PageRendering } from './rendering/page-rendering.ts'
import type { Seeder } from './seeds/seeder.ts'
import type { PoolEvents, WorkerDeath, WorkerOutcome } from './worker-pool/pool-events.ts'
import type { SharedMemory } from './worker-pool/shared-memory.ts'

/** Bytes of a heap that suffice. In a test, a page with 100,000 links needed 70 MiB, including the young generation. */
const SUFFICIENT_HEAP = 96 * 2 ** 20

interface WorkerEventParts extends ClaimRecoveryParts {
  readonly barrier: CommitBarrier
  readonly cookies: CookieJar | undefined
  readonly frontier: Pick<Frontier, 'addLinks' | 'endQueueing' | 'returnUnsent' | 'setRobots'>
  readonly loaded: LoadedResources
  readonly logger: Logger
  readonly memory: SharedMemory
  readonly outcomes: OutcomeHandler
  /** Undefined without `--render`. */
  readonly rendering: PageRendering | undefined
  readonly scope: { isForeign(origin: string): boolean }
  readonly seeder: Seeder
  readonly seeds: { hasFallback(origin: string): boolean }
}

/** Steps of the crawl after an event. */
interface NextStep {
  /** Writes records, and hands out further URLs. */
  proceed(visits: readonly Delivery[]): void
  /** Ends the crawl with an error. */
  fail(error: Error): void
}

/** Handles the messages and deaths of workers. */
export class WorkerEvents implements PoolEvents {
  readonly #parts: WorkerEventParts
  readonly #next: NextStep
  #hasWarnedOfHeap = false

  constructor(parts: WorkerEventParts, next: NextStep) {
    this.#parts = parts
    this.#next = next
  }

  pass(event: () => void): void {
    this.#parts.barrier.pass(event)
  }

  outcomes(outcomes: readonly WorkerOutcome[]): void {
    const visits = this.#parts.outcomes.handle(outcomes)
    for (const { crawlUrl } of outcomes) this.#parts.rendering?.concluded(crawlUrl.id)
    this.#next.proceed(visits)
  }

  unsent(crawlUrl: CrawlUrl): void {
    this.#parts.frontier.returnUnsent(crawlUrl.id, performance.now())
    this.#next.proceed([])
  }

  robots({ origin, reply, timedOut, exchange }: RobotsFetched): void {
    const { frontier, loaded, scope, seeder, seeds } = this.#parts
    if (exchange !== undefined) loaded.add(exchange)
    seeder.robotsRead(origin, reply)
    const mayFallBack = seeds.hasFallback(origin)
    const isBrief = mayFallBack || scope.isForeign(origin)
    // After a time-out, others would take as long again, where the fallback may answer at once.
    const retries = mayFallBack && timedOut === true ? 'none' : isBrief ? 'short' : 'all'
    frontier.setRobots(origin, reply, performance.now(), retries)
    this.#next.proceed([])
  }

  probed(host: string, reply: ProbeReply): void {
    this.#next.proceed(this.#parts.outcomes.probed(host, reply))
  }

  cookies({ url, setCookies }: SetCookies): void {
    this.#parts.cookies?.store(url, setCookies)
  }

  sitemapPart({ id, sameDepth, skipped, counts }: SitemapPartRead): void {
    const { frontier, memory, skips } = this.#parts
    memory.counters.addSkips(counts)
    skips.writeCounted(skipped)
    frontier.addLinks(id, { discovered: [], nearer: [], sameDepth }, performance.now())
    this.#next.proceed([])
  }

  render(request: RenderRequest, reply: (reply: RenderReply) => void): void {
    this.#parts.rendering?.render(request, reply)
  }

  resourceFetched(resource: ResourceFetched): void {
    this.#parts.rendering?.resourceFetched(resource)
  }

  /** Warns once if the heap of workers is too small for large pages, which then take long or kill their worker. */
  ready(heapLimit: number): void {
    if (this.#hasWarnedOfHeap || heapLimit >= SUFFICIENT_HEAP) return
    this.#hasWarnedOfHeap = true
    const [limit, enough] = [heapLimit, SUFFICIENT_HEAP].map((bytes) => Math.round(bytes / 2 ** 20))
    this.#parts.logger.warn(
      { heapLimit },
      `The heap of each worker ends at ${limit} MiB: pages with tens of thousands of links may take long or fail ` +
        `(worker-died) below ${enough} MiB; NODE_OPTIONS=--max-old-space-size=<MiB> gives it more`,
    )
  }

  died(death: WorkerDeath): void {
    const { frontier, logger, memory, outcomes } = this.#parts
    const { crawlUrls, error, wasReady } = death
    for (const { id } of crawlUrls) this.#parts.rendering?.concluded(id)
    // If workers can't start, the crawl soon ends with an error, which makes a warning needless.
    logger[wasReady ? 'warn' : 'debug'](
      { urls: crawlUrls.length },
      `A worker died: ${error.message}`,
    )
    logger.debug({ err: error }, 'The error that a worker died of')
    // A URL that may have killed the worker will run in an additional worker, whose requests come on top of those of
    // the others. So URLs must not wait in workers any more.
    frontier.endQueueing()
    recoverClaims(this.#parts, death)
    memory.release(death.owner)
    this.#next.proceed(outcomes.retryAfterDeath(death))
  }

  refused(running: number, wanted: number): void {
    const why = 'ulimit -u, or the limit of processes of a container'
    const run = running === 1 ? 'runs' : 'run'
    this.#parts.logger.warn(
      { workers: running },
      `The system refuses a further thread (${why}): ${running} of ${wanted} workers ${run}`,
    )
  }

  failed(error: Error): void {
    this.#next.fail(error)
  }
}
