import { resolveConfig } from '../config/resolve-config.ts'
import type { ConfigInput } from '../config/schema.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { VisitQueue } from '../output/visit-queue.ts'
import type { Visit } from '../wire/visit.ts'
import { type RunningCrawl, startCrawl } from './start-crawl.ts'
import type { Stats, Summary } from './telling/stats.ts'

/** A crawl whose visits are iterated over; leaving the loop ends it. */
export class Crawl implements RunningCrawl, AsyncIterable<Visit> {
  readonly finished: Promise<Summary>
  readonly #visits = new VisitQueue()
  readonly #running: RunningCrawl

  constructor(input: ConfigInput, logger: Logger) {
    this.#running = startCrawl(resolveConfig(input), { visits: this.#visits }, logger)
    this.finished = this.#running.finished
    this.finished.catch(() => {}) // told to whoever iterates or awaits it
  }

  stop(): void {
    this.#running.stop()
  }

  stats(): Stats {
    return this.#running.stats()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Visit, void> {
    yield* this.#visits
    await this.finished
  }
}

/**
 * Crawls from the seeds: `for await (const visit of crawl({ seeds: ['https://example.com'] }))`.
 * @throws CrawlerError('usage') naming every problem of the config
 */
export function crawl(config: ConfigInput, logger = silentLogger()): Crawl {
  return new Crawl(config, logger)
}
