import type { Claim } from '../../messages/claim-log.ts'
import type {
  ProbeReply,
  RenderReply,
  RenderRequest,
  ResourceFetched,
  RobotsReply,
  SetCookies,
} from '../../messages/messages.ts'
import type { UrlOutcome } from '../../messages/outcome-text.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'

/** A worker that died, and its unfinished work. */
export interface WorkerDeath {
  readonly error: Error
  /** Number of the thread. */
  readonly owner: number
  /** False if it had not come to its requests: they have nothing to do with its death. */
  readonly hasRun: boolean
  /** URLs that were assigned to it. */
  readonly crawlUrls: readonly CrawlUrl[]
  /** Its claims for them that it has not reported. */
  readonly claims: readonly Claim[]
}

/** The outcome of a URL, and the number of the worker to which it was assigned. */
export interface WorkerOutcome extends UrlOutcome {
  readonly worker: number
}

/** Events of the workers. */
export interface PoolEvents {
  /** Runs the effects of an event, now or later: until then its request counts as in flight. */
  pass(event: () => void): void
  outcomes(outcomes: readonly WorkerOutcome[]): void
  /** This URL was recalled, or the crawl stopped, before it was requested. */
  unsent(crawlUrl: CrawlUrl): void
  robots(origin: string, reply: RobotsReply): void
  probed(host: string, reply: ProbeReply): void
  /** A site set cookies. The other workers have them already. */
  cookies(message: SetCookies): void
  /** A worker has a page rendered. */
  render(request: RenderRequest, reply: (reply: RenderReply) => void): void
  /** A request of a rendered page has ended. */
  resourceFetched(resource: ResourceFetched): void
  /** A worker runs. @param heapLimit maximum size of its heap in bytes */
  ready(heapLimit: number): void
  /** A worker died, and was replaced if it is to be. */
  died(death: WorkerDeath): void
  /** No worker can run. */
  failed(error: Error): void
}
