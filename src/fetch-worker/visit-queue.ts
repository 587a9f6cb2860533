import type { CrawlUrl } from '../records/crawl-url.ts'
import { hostKey } from '../url/host-key.ts'

/** Runs tasks, as many at a time as there may be requests in flight, the others in the order in which they came. */
interface TaskQueue {
  readonly concurrency: number
  /** Tasks that wait. */
  readonly size: number
  add(task: () => Promise<void>): unknown
}

/**
 * Visits that wait for their turn among the requests in flight. Until then they can be recalled.
 *
 * One task makes visit after visit: a task for each would cost more than the rest of this.
 */
export class VisitQueue {
  readonly #requests: TaskQueue
  readonly #visit: (crawlUrl: CrawlUrl) => Promise<void>
  /** URLs that wait, by id. */
  readonly #waiting = new Map<number, CrawlUrl>()
  /** Tasks for visits, in flight and waiting. */
  #tasks = 0

  /** @param visit resolves when another visit may begin */
  constructor(requests: TaskQueue, visit: (crawlUrl: CrawlUrl) => Promise<void>) {
    this.#requests = requests
    this.#visit = visit
  }

  add(crawlUrl: CrawlUrl): void {
    this.#waiting.set(crawlUrl.id, crawlUrl)
    if (this.#tasks < this.#requests.concurrency) this.#addTask()
  }

  /** Removes the URLs that wait, of one host or of all. Returns their ids. */
  recall(host?: string): number[] {
    const all = [...this.#waiting.values()]
    const recalled = host === undefined ? all : all.filter(({ url }) => hostKey(url) === host)
    for (const { id } of recalled) this.#waiting.delete(id)
    return recalled.map(({ id }) => id)
  }

  #addTask(): void {
    this.#tasks++
    this.#requests.add(() => this.#makeVisits())
  }

  async #makeVisits(): Promise<void> {
    for (let next = this.#takeFirst(); next !== undefined; next = this.#takeFirst()) {
      await this.#visit(next)
      // Requests of another kind wait as well.
      if (this.#requests.size > 0) break
    }
    this.#tasks--
    if (this.#waiting.size > 0) this.#addTask()
  }

  #takeFirst(): CrawlUrl | undefined {
    for (const [id, crawlUrl] of this.#waiting) {
      this.#waiting.delete(id)
      return crawlUrl
    }
    return undefined
  }
}
