import type { Logger } from '../logger.ts'
import type { Stats, Summary } from './stats.ts'

interface ProgressConfig {
  /** Milliseconds between two rounds of lines. */
  readonly logInterval: number
  /** Above it the seen set loses more URLs than was asked for. */
  readonly falsePositiveRate: number
}

/** Traps that are told in a line of their own. */
const MAX_TRAPS = 10
/** As much of a URL as is worth a line. */
const MAX_SHOWN = 200

/** The periodic log: a line for each worker, and one for the crawl. */
export class Progress {
  readonly #logger: Logger
  readonly #wantedRate: number
  readonly #stats: () => Stats
  readonly #timer: NodeJS.Timeout
  #visitsBefore = 0
  #elapsedBefore = 0
  #isWarned = false

  constructor(logger: Logger, config: ProgressConfig, stats: () => Stats) {
    this.#logger = logger
    this.#wantedRate = config.falsePositiveRate
    this.#stats = stats
    this.#timer = setInterval(() => this.#tell(), config.logInterval)
    this.#timer.unref()
  }

  /** Ends with a summary in the same form. */
  end(summary: Summary): void {
    clearInterval(this.#timer)
    this.#warn(summary)
    tellWorkers(this.#logger, summary)
    tellTraps(this.#logger, summary)
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
    this.#warn(stats)
    tellWorkers(this.#logger, stats)
    const { workers: _, statuses: __, errors: ___, ...crawl } = stats
    const rate = perSecond(stats.visits - this.#visitsBefore, stats.elapsedMs - this.#elapsedBefore)
    this.#visitsBefore = stats.visits
    this.#elapsedBefore = stats.elapsedMs
    this.#logger.info({ ...crawl, pagesPerSecond: rate }, `Crawl: ${brief(stats, rate)}`)
  }

  /** Once, when the seen set is fuller than it was made for. */
  #warn({ seen: { added, falsePositiveRate } }: Stats): void {
    if (this.#isWarned || falsePositiveRate <= this.#wantedRate) return
    this.#isWarned = true
    this.#logger.warn(
      { added, falsePositiveRate },
      `The seen set holds more URLs than it was sized for, and loses one in ${Math.round(1 / falsePositiveRate)} new ones: crawl again with a greater --expected-urls`,
    )
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

/** The greatest of them; the summary holds them all. */
function tellTraps(logger: Logger, { traps }: Summary): void {
  const greatest = traps.toSorted((a, b) => b.dropped - a.dropped).slice(0, MAX_TRAPS)
  for (const { pattern, dropped, example } of greatest) {
    logger.warn(`Trap: ${pattern}, ${dropped} URLs left out, such as ${shortened(example)}`)
  }
}

function shortened(url: string): string {
  return url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}...` : url
}

function brief(stats: Stats, rate: number): string {
  const { visits, queued, inFlight, rss, seen } = stats
  const memory = `${Math.round(rss / 2 ** 20)} MiB`
  const filter = `${percent(seen.fill)} of the seen set taken, false-positive rate ${seen.falsePositiveRate.toPrecision(2)}`
  return `${visits} pages, ${rate}/s, ${queued} queued, ${inFlight} in flight, ${memory}, ${filter}`
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`
}

function perSecond(count: number, ms: number): number {
  return ms > 0 ? Math.round((count * 10_000) / ms) / 10 : 0
}
