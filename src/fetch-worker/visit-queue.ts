import type PQueue from 'p-queue'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { hostKey } from '../url/host-key.ts'

/** Visits that wait for their turn among the requests in flight. Until then they can be recalled. */
export class VisitQueue {
  readonly #requests: PQueue
  readonly #visit: (crawlUrl: CrawlUrl) => Promise<void>
  /** URLs that wait, by id. */
  readonly #waiting = new Map<number, CrawlUrl>()

  /** @param visit resolves when another visit may begin */
  constructor(requests: PQueue, visit: (crawlUrl: CrawlUrl) => Promise<void>) {
    this.#requests = requests
    this.#visit = visit
  }

  add(crawlUrl: CrawlUrl): void {
    this.#waiting.set(crawlUrl.id, crawlUrl)
    this.#requests.add(() => this.#begin(crawlUrl))
  }

  /** Removes the URLs that wait, of one host or of all. Returns their ids. */
  recall(host?: string): number[] {
    const all = [...this.#waiting.values()]
    const recalled = host === undefined ? all : all.filter(({ url }) => hostKey(url) === host)
    for (const { id } of recalled) this.#waiting.delete(id)
    return recalled.map(({ id }) => id)
  }

  #begin(crawlUrl: CrawlUrl): Promise<void> {
    return this.#waiting.delete(crawlUrl.id) ? this.#visit(crawlUrl) : Promise.resolve()
  }
}
