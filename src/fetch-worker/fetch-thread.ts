import PQueue from 'p-queue'
import type { CookieJar } from '../cookies/cookie-jar.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { Counters } from '../messages/counters.ts'
import type { WorkerMessage } from '../messages/from-worker.ts'
import type { Outcome } from '../messages/outcome.ts'
import type { Pulse } from '../messages/pulse.ts'
import type { CoordinatorMessage } from '../messages/to-worker.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { RequestLimits } from '../throttle/request-limits.ts'
import { RequestNotSent } from '../throttle/request-not-sent.ts'
import { hostKey } from '../url/host-key.ts'
import type { HostProbe } from './host-probe.ts'
import type { Outbox } from './outbox.ts'
import type { ResponseParser } from './parse/response-parser.ts'
import type { RenderRequests } from './rendering/render-requests.ts'
import type { ResourceFetcher } from './rendering/resource-fetcher.ts'
import type { RobotsFetcher } from './robots-fetcher.ts'
import type { SitemapParts } from './sitemap-parts.ts'
import { VisitQueue } from './visit-queue.ts'
import type { Visitor } from './visitor.ts'

interface ThreadOptions {
  readonly worker: number
  /** Maximum requests in flight. */
  readonly concurrency: number
  readonly deterministic: boolean
}

interface ThreadParts {
  readonly counters: Counters
  readonly fetcher: Fetcher
  /** Undefined if cookies are neither stored nor sent. */
  readonly jar: CookieJar | undefined
  /** Undefined without `--rate` and `--bandwidth`. */
  readonly limits: RequestLimits | undefined
  readonly outbox: Outbox
  readonly parser: ResponseParser
  readonly probe: HostProbe
  readonly pulse: Pulse
  /** Undefined without `--render`. */
  readonly renderRequests: RenderRequests | undefined
  readonly resources: ResourceFetcher
  readonly robots: RobotsFetcher
  /** Undefined if sitemaps are not reported in parts. */
  readonly sitemapParts: SitemapParts | undefined
  readonly visitor: Visitor
}

/** The loop of a fetch worker: it handles the messages of the main thread, and sends outcomes and replies back. */
export class FetchThread {
  readonly #options: ThreadOptions
  readonly #parts: ThreadParts
  readonly #requests: PQueue
  /** The queue for resources of rendered pages. Pages that wait for resources must not block them. */
  readonly #loads: PQueue
  readonly #visits: VisitQueue

  constructor(options: ThreadOptions, parts: ThreadParts) {
    const { concurrency } = options
    this.#options = options
    this.#parts = parts
    this.#requests = new PQueue({ concurrency })
    this.#loads = new PQueue({ concurrency })
    this.#visits = new VisitQueue(this.#requests, (crawlUrl) => this.#visit(crawlUrl))
  }

  /** Handles a message from the main thread. */
  handle(message: CoordinatorMessage): void {
    const { fetcher, jar, limits, outbox, parser, pulse, renderRequests, sitemapParts } =
      this.#parts
    pulse.beat()
    switch (message.type) {
      case 'visit':
        this.#addVisits(message.crawlUrls)
        break
      case 'recall':
        outbox.returnUnsent(this.#visits.recall(message.host))
        break
      case 'robots':
        this.#request(this.#requests, () => this.#parts.robots.fetch(message))
        break
      case 'probe':
        this.#request(this.#requests, () => this.#parts.probe.send(message))
        break
      case 'resource':
        this.#request(this.#loads, () => this.#parts.resources.fetch(message))
        break
      case 'rendered':
        renderRequests?.rendered(message.id, message.result)
        break
      case 'part-added':
        sitemapParts?.added(message.id)
        break
      case 'widen':
        parser.widen(message.url)
        break
      case 'login-pages':
        parser.excludeLoginPages(message.urls)
        break
      case 'cookies':
        jar?.store(message.url, message.setCookies)
        break
      case 'ping':
        break
      case 'stop':
        limits?.close()
        outbox.returnUnsent(this.#visits.recall())
        break
      case 'end':
        outbox.close()
        void fetcher.close()
        break
    }
  }

  #addVisits(crawlUrls: readonly CrawlUrl[]): void {
    const refused = crawlUrls.filter((crawlUrl) => !this.#visits.add(crawlUrl))
    this.#parts.outbox.returnUnsent(refused.map(({ id }) => id))
  }

  /** Starts a visit. Resolves when another visit may begin: this one has ended, or waits for a browser. */
  #visit(crawlUrl: CrawlUrl): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // An error ends the worker, even if it occurs after the promise has resolved.
    void this.#visitToEnd(crawlUrl, resolve).then(resolve)
    return promise
  }

  async #visitToEnd(crawlUrl: CrawlUrl, onWait: () => void): Promise<void> {
    const { outbox, visitor } = this.#parts
    try {
      const outcome = await visitor.visit(crawlUrl, onWait)
      this.#report(crawlUrl, outcome)
      const { retryAfter = 0 } = outcome
      if (retryAfter > 0) this.#pauseHost(crawlUrl.url, retryAfter)
    } catch (error) {
      if (!(error instanceof RequestNotSent)) throw error
      outbox.returnUnsent([crawlUrl.id])
    }
  }

  #report(crawlUrl: CrawlUrl, outcome: Outcome): void {
    const { counters, outbox, pulse } = this.#parts
    pulse.beat()
    if (outcome.type === 'visited') counters.add(this.#options.worker, 'fetched', 1)
    if (outcome.type === 'failed') counters.add(this.#options.worker, 'failed', 1)
    outbox.report(crawlUrl, outcome)
  }

  /**
   * Pauses a host that requested it. The URLs of the host that wait here go back to the main thread, as do those that
   * arrive before the main thread knows of the pause.
   */
  #pauseHost(url: string, ms: number): void {
    // In a deterministic order, the outcomes of later URLs would have to wait for a returned URL until the pause is over.
    if (this.#options.deterministic) return
    const ids = this.#visits.pause(hostKey(url), ms)
    // Otherwise the main thread would assign the URLs again before it knows of the pause.
    this.#parts.outbox.returnUnsentAfterOutcomes(ids)
  }

  /** Queues a request, and posts its reply. If the crawl stops before the request is sent, no reply is needed. */
  #request(queue: PQueue, send: () => Promise<WorkerMessage>): void {
    void queue.add(async () => {
      try {
        this.#parts.outbox.post(await send())
      } catch (error) {
        if (!(error instanceof RequestNotSent)) throw error
      }
    })
  }
}
