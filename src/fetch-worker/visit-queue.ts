import type { CrawlUrl } from '../records/crawl-url.ts'
import { hostKey } from '../url/host-key.ts'

/** Runs tasks, as many at a time as there may be requests in flight. */
interface TaskQueue {
  add(task: () => Promise<void>): unknown
}

/** Visits that wait for their turn among the requests in flight. Until then they can be recalled. */
export class VisitQueue {
  readonly #requests: TaskQueue
  readonly #visit: (crawlUrl: CrawlUrl) => Promise<void>
  /** URLs that wait, by id. */
  readonly #waiting = new Map<number, CrawlUrl>()

  /** @param visit resolves when another visit may begin */
  constructor(requests: TaskQueue, visit: (crawlUrl: CrawlUrl) => Promise<void>) {
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
    // A URL that was recalled may have come again, with another place.
    if (this.#waiting.get(crawlUrl.id) !== crawlUrl) return Promise.resolve()
    this.#waiting.delete(crawlUrl.id)
    return this.#visit(crawlUrl)
  }
}
