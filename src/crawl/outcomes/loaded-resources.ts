import type { Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { ArchivedExchange } from '../../records/visit-attachments.ts'

/**
 * Passes responses that are no visits to the archive, with the visit that is written next: robots.txt files, and the
 * resources that rendered pages load.
 */
export class LoadedResources {
  #exchanges: ArchivedExchange[] = []

  add(exchange: ArchivedExchange): void {
    this.#exchanges.push(exchange)
  }

  /** Returns the outcome of a visit with the resources that were loaded since the last visit. */
  attach(_: CrawlUrl, outcome: Visited): Visited {
    if (this.#exchanges.length === 0) return outcome
    const resources = this.#exchanges
    this.#exchanges = []
    return { ...outcome, resources }
  }
}
