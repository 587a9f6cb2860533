import { BoundedMap } from '../collections/bounded-map.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { hostKey } from '../url/host-key.ts'

/** Runs at most `concurrency` tasks at a time, in the order in which they were added. */
interface TaskQueue {
  readonly concurrency: number
  /** Number of waiting tasks. */
  readonly size: number
  add(task: () => Promise<void>): unknown
  /** Calls a listener after each `add`. */
  addEventListener(event: 'add', listener: () => void): void
}

/** Maximum number of hosts whose pauses are remembered. */
const MAX_PAUSES = 1_000

/**
 * The visits that wait until fewer requests are in flight. Until then, they can be recalled.
 *
 * One task makes many visits, one after the other, and keeps its slot while no visit waits. A task for each visit, or
 * for each group of visits, would take several percent of a crawl's CPU time.
 */
export class VisitQueue {
  readonly #requests: TaskQueue
  readonly #visit: (crawlUrl: CrawlUrl) => Promise<void>
  /** URLs that wait, by id. */
  readonly #waiting = new Map<number, CrawlUrl>()
  /** The times at which the pauses of hosts end, in milliseconds of the monotonic clock. */
  readonly #pauses = new BoundedMap<string, number>(MAX_PAUSES)
  /** Number of tasks for visits, running and waiting. */
  #tasks = 0
  /** Wake the tasks that wait for a visit. */
  readonly #resting: (() => void)[] = []

  /** @param visit resolves when another visit may begin */
  constructor(requests: TaskQueue, visit: (crawlUrl: CrawlUrl) => Promise<void>) {
    this.#requests = requests
    this.#visit = visit
    requests.addEventListener('add', () => this.#resting.pop()?.())
  }

  /**
   * Adds a URL. Returns false if its host has requested a pause, which the main thread didn't know of when it sent the
   * URL.
   */
  add(crawlUrl: CrawlUrl): boolean {
    if (this.#isPaused(crawlUrl.url)) return false
    this.#waiting.set(crawlUrl.id, crawlUrl)
    const wake = this.#resting.pop()
    if (wake !== undefined) wake()
    else if (this.#tasks < this.#requests.concurrency) this.#addTask()
    return true
  }

  /** Rejects URLs of a host for `ms` milliseconds, and removes those that wait. Returns the ids of those. */
  pause(host: string, ms: number): number[] {
    this.#pauses.set(host, performance.now() + ms)
    return this.recall(host)
  }

  /** Removes the URLs that wait, of one host or of all. Returns their ids. */
  recall(host?: string): number[] {
    const all = [...this.#waiting.values()]
    const recalled = host === undefined ? all : all.filter(({ url }) => hostKey(url) === host)
    for (const { id } of recalled) this.#waiting.delete(id)
    return recalled.map(({ id }) => id)
  }

  #isPaused(url: string): boolean {
    if (this.#pauses.size === 0) return false
    const host = hostKey(url)
    if (performance.now() < (this.#pauses.get(host) ?? 0)) return true
    this.#pauses.delete(host)
    return false
  }

  #addTask(): void {
    this.#tasks++
    this.#requests.add(() => this.#makeVisits())
  }

  async #makeVisits(): Promise<void> {
    do {
      const next = this.#takeFirst()
      if (next !== undefined) await this.#visit(next)
      else if (this.#requests.size === 0) await this.#untilNeeded()
      // Requests of another kind may be waiting: this task lets them run first.
    } while (this.#requests.size === 0)
    this.#tasks--
    if (this.#waiting.size > 0) this.#addTask()
  }

  /** Resolves when another visit is added, or when a request of another kind needs a slot. */
  #untilNeeded(): Promise<void> {
    return new Promise((resolve) => this.#resting.push(resolve))
  }

  #takeFirst(): CrawlUrl | undefined {
    for (const [id, crawlUrl] of this.#waiting) {
      this.#waiting.delete(id)
      return crawlUrl
    }
    return undefined
  }
}
