import type { ProbeRequest, ResourceRequest, RobotsRequest } from '../../messages/to-worker.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'

/** A request that a worker works on. */
export interface PendingRequest<T> {
  readonly request: T
  /** Time when it was sent, in milliseconds of the monotonic clock. */
  readonly since: number
}

/** The requests that one worker works on. */
export class WorkerRequests {
  readonly #urls = new Map<number, PendingRequest<CrawlUrl>>()
  /** Requests for robots.txt, by origin. */
  readonly #robots = new Map<string, PendingRequest<RobotsRequest>>()
  /** Probes, which find out whether a host answers, by host. */
  readonly #probes = new Map<string, PendingRequest<ProbeRequest>>()
  /** Ids of pages that wait for a browser. */
  readonly #rendering = new Set<number>()
  readonly #resources = new Set<number>()
  readonly #rendersTakeNoRoom: boolean
  #taken = 0

  /** @param rendersTakeNoRoom true if pages take no room while they wait for a browser */
  constructor(rendersTakeNoRoom: boolean) {
    this.#rendersTakeNoRoom = rendersTakeNoRoom
  }

  /** Number of URLs. */
  get inFlight(): number {
    return this.#urls.size
  }

  /** Number of requests of all kinds. */
  get load(): number {
    return this.#urls.size + this.#robots.size + this.#probes.size + this.#resources.size
  }

  /**
   * Number of pages that wait for a browser and take no room meanwhile. With `--deterministic`, they may wait for a
   * page that could not be assigned without that room. They are a few hundred at most.
   */
  get pagesInBrowser(): number {
    return this.#rendersTakeNoRoom ? this.#rendering.size : 0
  }

  /** Number of requests that the worker has ever had, without resources. */
  get taken(): number {
    return this.#taken
  }

  get crawlUrls(): CrawlUrl[] {
    return [...this.#urls.values()].map(({ request }) => request)
  }

  get robots(): PendingRequest<RobotsRequest>[] {
    return [...this.#robots.values()]
  }

  /** Requests for pages, and those that find out whether a host answers. */
  get toHosts(): PendingRequest<CrawlUrl | ProbeRequest>[] {
    return [...this.#urls.values(), ...this.#probes.values()]
  }

  get probedHosts(): string[] {
    return [...this.#probes.keys()]
  }

  /** Ids of requests of rendered pages. */
  get resources(): ReadonlySet<number> {
    return this.#resources
  }

  hasUrl(id: number): boolean {
    return this.#urls.has(id)
  }

  addUrl(crawlUrl: CrawlUrl, now: number): void {
    this.#taken++
    this.#urls.set(crawlUrl.id, { request: crawlUrl, since: now })
  }

  /** Adds a request for a robots.txt, or one that finds out whether a host answers. */
  add(request: RobotsRequest | ProbeRequest, now: number): void {
    this.#taken++
    if (request.type === 'probe') this.#probes.set(request.host, { request, since: now })
    else this.#robots.set(request.origin, { request, since: now })
  }

  addResource({ id }: ResourceRequest): void {
    this.#resources.add(id)
  }

  /** Notes that a page waits for a browser. */
  beginRendering(id: number): void {
    this.#rendering.add(id)
  }

  /** Removes a URL, and returns it; undefined if it is not assigned to this worker. */
  endUrl(id: number): CrawlUrl | undefined {
    const pending = this.#urls.get(id)
    this.#urls.delete(id)
    this.#rendering.delete(id)
    return pending?.request
  }

  endRobots(origin: string): void {
    this.#robots.delete(origin)
  }

  endProbe(host: string): void {
    this.#probes.delete(host)
  }

  endResource(id: number): void {
    this.#resources.delete(id)
  }
}
