import type { Claim } from '../../messages/claim-log.ts'
import type {
  ProbeReply,
  RenderRequest,
  ResourceFetched,
  RobotsFetched,
  SetCookies,
  SitemapPartRead,
} from '../../messages/from-worker.ts'
import type { UrlOutcome } from '../../messages/outcome-text.ts'
import type { RenderReply } from '../../messages/to-worker.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'

/** A worker that died, and its unfinished work. */
export interface WorkerDeath {
  readonly error: Error
  /** Number of the thread in shared memory, as in `WorkerSetup`. */
  readonly owner: number
  /** False if the worker died before it ran our code, so that its URLs can't have caused its death. */
  readonly wasReady: boolean
  /** URLs that were assigned to it. */
  readonly crawlUrls: readonly CrawlUrl[]
  /** Claims for these URLs that were not reported. */
  readonly claims: readonly Claim[]
}

/** The outcome of a URL, and the number of the worker to which it was assigned. */
export interface WorkerOutcome extends UrlOutcome {
  readonly worker: number
}

/** Events of the workers. */
export interface PoolEvents {
  /** Runs the effects of an event, now or later. Until then, its request counts as in flight. */
  pass(event: () => void): void
  outcomes(outcomes: readonly WorkerOutcome[]): void
  /** A URL was not requested: it was recalled, the crawl stopped, or its host requested a pause. */
  unsent(crawlUrl: CrawlUrl): void
  robots(fetched: RobotsFetched): void
  probed(host: string, reply: ProbeReply): void
  /** A site set cookies. The other workers have them already. */
  cookies(message: SetCookies): void
  /** A worker has read a part of a sitemap. */
  sitemapPart(part: SitemapPartRead): void
  /** A worker needs a page rendered. */
  render(request: RenderRequest, reply: (reply: RenderReply) => void): void
  /** A request of a rendered page has ended. */
  resourceFetched(resource: ResourceFetched): void
  /** A worker is ready for URLs. @param heapLimit maximum size of its heap in bytes */
  ready(heapLimit: number): void
  /** A worker died. It has been replaced already, unless it was started for a single URL. */
  died(death: WorkerDeath): void
  /** The system refused a further worker, so only the running ones of `wanted` workers run. */
  refused(running: number, wanted: number): void
  /** Workers can't run, so the crawl can't continue. */
  failed(error: Error): void
}
