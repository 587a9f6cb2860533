import type { Logger } from '../logger.ts'
import type { Stats, Summary } from './stats.ts'

/** The periodic log: a line for each worker, and one for the crawl. */
export class Progress {
  readonly #logger: Logger
  readonly #stats: () => Stats
  readonly #timer: NodeJS.Timeout
  #visitsBefore = 0
  #elapsedBefore = 0

  /** @param interval milliseconds between two rounds of lines */
  constructor(logger: Logger, interval: number, stats: () => Stats) {
    this.#logger = logger
    this.#stats = stats
    this.#timer = setInterval(() => this.#tell(), interval)
    this.#timer.unref()
  }

  /** Ends with a summary in the same form. */
  end(summary: Summary): void {
    clearInterval(this.#timer)
    tellWorkers(this.#logger, summary)
    const { workers: _, ...crawl } = summary
    const rate = perSecond(summary.visits, summary.elapsedMs)
    this.#logger.info(
      { ...crawl, pagesPerSecond: rate },
      `${ENDINGS[summary.reason]}: ${brief(summary, rate)}`,
    )
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tell(): void {
    const stats = this.#stats()
    tellWorkers(this.#logger, stats)
    const { workers: _, statuses: __, errors: ___, ...crawl } = stats
    const rate = perSecond(stats.visits - this.#visitsBefore, stats.elapsedMs - this.#elapsedBefore)
    this.#visitsBefore = stats.visits
    this.#elapsedBefore = stats.elapsedMs
    this.#logger.info({ ...crawl, pagesPerSecond: rate }, `Crawl: ${brief(stats, rate)}`)
  }
}

const ENDINGS = {
  finished: 'Finished',
  'max-pages': 'Ended at the limit of pages',
  'max-time': 'Ended at the limit of time',
  stopped: 'Stopped',
  'output-closed': 'Ended, for the reader of the output has gone',
} as const

function tellWorkers(logger: Logger, { workers }: Stats): void {
  for (const stats of workers) {
    const { worker, elapsedMs, setSize } = stats
    logger.info(stats, `Thread-${worker}, UsedTime-${elapsedMs}, SetSize = ${setSize}`)
  }
}

function brief(stats: Stats, rate: number): string {
  const { visits, queued, inFlight, rss, seen } = stats
  const memory = `${Math.round(rss / 2 ** 20)} MiB`
  const filter = `seen set ${percent(seen.fill)} full, false-positive rate ${seen.falsePositiveRate.toPrecision(2)}`
  return `${visits} pages, ${rate}/s, ${queued} queued, ${inFlight} in flight, ${memory}, ${filter}`
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`
}

function perSecond(count: number, ms: number): number {
  return ms > 0 ? Math.round((count * 10_000) / ms) / 10 : 0
}
