import type { Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { ArchivedExchange } from '../../records/visit-attachments.ts'

/** Passes what rendered pages load on to the archive, with the visits that are written next. */
export class LoadedResources {
  #exchanges: ArchivedExchange[] = []

  add(exchange: ArchivedExchange): void {
    this.#exchanges.push(exchange)
  }

  /** Adds what was loaded since the last visit to the outcome of a visit. */
  attach(_: CrawlUrl, outcome: Visited): Visited {
    if (this.#exchanges.length === 0) return outcome
    const resources = this.#exchanges
    this.#exchanges = []
    return { ...outcome, resources }
  }
}
