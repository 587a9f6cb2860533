import { resolveConfig } from '../config/resolve-config.ts'
import type { ConfigInput } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import type { BusyHosts } from '../frontier/politeness/host-stats.ts'
import type { HostWait } from '../frontier/politeness/host-waits.ts'
import { type Logger, silentLogger } from '../logger.ts'
import type { Visit } from '../records/visit.ts'
import { VisitQueue } from '../sinks/visit-queue.ts'
import { type RunningCrawl, startCrawl } from './start-crawl.ts'
import type { Stats, Summary } from './stats/stats.ts'

/** Settings of a crawl as in a config file, and what a file can't have. */
export interface CrawlOptions extends ConfigInput {
  /** Ends the crawl: the loop still gets the visits in flight, then it throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Takes log lines; nothing is logged without it. */
  readonly logger?: Logger
}

const NO_JOBS = 'frontier: expected to be absent: only the command takes part in a job'

/** A crawl whose visits are iterated over; leaving the loop ends it. */
export class Crawl implements RunningCrawl, AsyncIterable<Visit> {
  readonly finished: Promise<Summary>
  readonly #visits = new VisitQueue()
  readonly #running: RunningCrawl
  readonly #signal: AbortSignal | undefined

  constructor({ signal, logger = silentLogger(), ...input }: CrawlOptions) {
    const config = resolveConfig(input)
    if (config.frontier.length > 0) throw new CrawlerError('usage', NO_JOBS)
    signal?.throwIfAborted()
    this.#signal = signal
    this.#running = startCrawl(config, { visits: this.#visits }, logger)
    this.finished = this.#running.finished
    const stop = () => this.stop()
    signal?.addEventListener('abort', stop)
    const release = () => signal?.removeEventListener('abort', stop)
    this.finished.then(release, release) // a failure is reported to the loop, and by `finished`
  }

  stop(): void {
    this.#running.stop()
  }

  stats(): Stats {
    return this.#running.stats()
  }

  hosts(max: number): BusyHosts {
    return this.#running.hosts(max)
  }

  hostWaits(): HostWait[] {
    return this.#running.hostWaits()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Visit, void> {
    yield* this.#visits
    const { reason } = await this.finished
    if (reason === 'stopped') this.#signal?.throwIfAborted()
  }
}

/**
 * Crawls from the seeds: `for await (const visit of crawl({ seeds: ['https://example.com'] }))`.
 * @throws CrawlerError('usage') naming every problem of the settings
 */
export function crawl(options: CrawlOptions): Crawl {
  return new Crawl(options)
}
