import { countOf, formatPercent } from '../../english-text.ts'
import type { Logger } from '../../logger.ts'
import { shortened } from '../../printable-text.ts'
import { isProbablyComplete, type SeenName, type SeenStats } from '../../seen/seen-set.ts'
import { adviceWhenFull } from '../../seen/seen-set-lifecycle.ts'
import { countsOfRound, visitsText } from './counts-of-round.ts'
import { countHttpErrors } from './failure-counts.ts'
import { adviceOn } from './option-advice.ts'
import { type BasicLogin, refusalAdvice } from './refusal-advice.ts'
import { END_REASON_TEXT, type Stats, type Summary, type VisitCounts } from './stats.ts'

interface ProgressConfig extends BasicLogin {
  readonly seen: SeenName
  /** Milliseconds between two reports. */
  readonly logInterval: number
  /** False-positive rate up to which the user accepts that the seen set loses URLs. */
  readonly falsePositiveRate: number
  /** The servers of a shared queue. They have the job's seen set, whose losses this process doesn't know. */
  readonly frontier: readonly unknown[]
}

/** Reports that are shown elsewhere, so that the log omits them. */
export interface ShownElsewhere {
  readonly progress: boolean
  readonly summary: boolean
}

/** The parts of the statistics that the lines of progress leave out. */
const NOT_IN_PROGRESS: ReadonlySet<string> = new Set<keyof Stats>(['workers', 'statuses', 'errors'])
/** The parts of the summary that its line leaves out, since they have lines of their own. */
const NOT_IN_SUMMARY: ReadonlySet<string> = new Set<keyof Summary>([
  'workers',
  'unmatchedPatterns',
  'unmatchedFields',
  'unmatchedContent',
  'severalMatches',
])

/** Maximum number of traps with a line of their own. */
const MAX_TRAPS = 10
/** Maximum length of a URL in a line. */
const MAX_URL_LENGTH = 200

/** Logs the progress of a crawl from time to time: a line for each worker, and one for the crawl. */
export class ProgressLog {
  readonly #logger: Logger
  readonly #config: ProgressConfig
  readonly #stats: () => Stats
  readonly #timer: NodeJS.Timeout
  readonly #shownElsewhere: ShownElsewhere
  /** Counts of the previous line; at first those of earlier runs. */
  #before: Pick<Stats, 'elapsedMs' | 'visits'>
  #hasWarned = false

  constructor(
    logger: Logger,
    config: ProgressConfig,
    stats: () => Stats,
    shownElsewhere: ShownElsewhere = { progress: false, summary: false },
  ) {
    this.#shownElsewhere = shownElsewhere
    this.#logger = logger
    this.#config = config
    this.#stats = stats
    this.#before = stats()
    this.#timer = setInterval(() => this.#log(), config.logInterval)
    this.#timer.unref()
  }

  /**
   * Logs the summary, in the same form as the progress.
   * @param job name of the job that the process took part in
   */
  end(summary: Summary, job?: string): void {
    clearInterval(this.#timer)
    this.#warn(summary)
    for (const advice of adviceOn(summary, job)) this.#logger.warn(advice)
    if (this.#shownElsewhere.summary) return
    logWorkers(this.#logger, summary)
    logTraps(this.#logger, summary)
    logSeeds(this.#logger, summary)
    if (summary.seedRefusal !== undefined) {
      this.#logger.warn(refusalAdvice(summary.seedRefusal, this.#config))
    }
    const { visits, elapsedMs } = countsOfRound(summary)
    const rate = perSecond(visits, elapsedMs)
    this.#logger.info(
      { ...without(NOT_IN_SUMMARY, summary), pagesPerSecond: rate },
      `${END_REASON_TEXT[summary.reason]}: ${this.#text(summary, rate)}${loginText(summary)}`,
    )
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #log(): void {
    const stats = this.#stats()
    this.#warn(stats)
    if (this.#shownElsewhere.progress) return
    logWorkers(this.#logger, stats)
    const { elapsedMs, visits } = stats
    const rate = perSecond(visits - this.#before.visits, elapsedMs - this.#before.elapsedMs)
    this.#before = { elapsedMs, visits }
    this.#logger.info(
      { ...without(NOT_IN_PROGRESS, stats), pagesPerSecond: rate },
      `Crawl: ${this.#text(stats, rate)}`,
    )
  }

  #text(stats: Stats, rate: number): string {
    const losses = this.#config.frontier.length > 0 ? [] : lossTexts(stats.seen)
    return [...shortTexts(stats, rate), ...losses].join(', ')
  }

  /** Warns once if the seen set contains more URLs than it was sized for. */
  #warn({ seen: { added, falsePositiveRate, expectedLost } }: Stats): void {
    if (this.#hasWarned || falsePositiveRate <= this.#config.falsePositiveRate) return
    this.#hasWarned = true
    this.#logger.warn(
      { added, falsePositiveRate, expectedLost },
      `The seen set has more URLs than it was sized for, and misses one in ${Math.round(1 / falsePositiveRate)} new ones: ${adviceWhenFull(this.#config.seen)}`,
    )
  }
}

function without(names: ReadonlySet<string>, stats: Stats): object {
  return Object.fromEntries(Object.entries(stats).filter(([name]) => !names.has(name)))
}

function logWorkers(logger: Logger, { workers }: Stats): void {
  for (const stats of workers) {
    const { worker, elapsedMs, setSize } = stats
    logger.info(stats, `Thread-${worker}, UsedTime-${elapsedMs}, SetSize = ${setSize}`)
  }
}

/** Logs the traps that dropped the most URLs. The summary contains all traps. */
function logTraps(logger: Logger, { traps }: Summary): void {
  const greatest = traps.toSorted((a, b) => b.dropped - a.dropped).slice(0, MAX_TRAPS)
  for (const { pattern, dropped, example } of greatest) {
    logger.warn(
      `Trap: ${pattern}, ${countOf(dropped, 'URL')} left out, such as ${shortened(example, MAX_URL_LENGTH)}`,
    )
  }
}

/** Logs a warning for each seed that failed. If no seed was answered, the command itself reports that. */
function logSeeds(logger: Logger, { seedErrors, seedFailures, seedsAnswered }: Summary): void {
  const failures = seedsAnswered === 0 ? [] : [...seedFailures, ...seedErrors]
  for (const { url, reason } of failures)
    logger.warn({ url }, `Seed ${shortened(url, MAX_URL_LENGTH)}: ${reason}`)
}

function shortTexts(stats: Stats, rate: number): string[] {
  const { queued, inFlight, hostsAway, paused, rss, seen } = stats
  return [
    ...(paused ? ['the job is paused'] : []),
    visitsText(stats),
    ...failureTexts(countsOfRound(stats)),
    `${rate}/s`,
    `${queued} queued`,
    `${inFlight} in flight`,
    ...(hostsAway > 0 ? [`waiting for ${countOf(hostsAway, 'host')} without an answer`] : []),
    `${Math.round(rss / 2 ** 20)} MiB`,
    `${formatPercent(seen.fill)} of the seen set taken`,
  ]
}

/** Returns the numbers of visits without a usable page, if there are any. */
function failureTexts({ failed, ...counts }: VisitCounts): string[] {
  const httpErrors = countHttpErrors(counts)
  return [
    ...(httpErrors > 0 ? [countOf(httpErrors, 'HTTP error')] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
}

/** Returns text with the first URL that was lost to the login page, and the number of others; empty if none was. */
function loginText({ login }: Summary): string {
  const { lost, first } = login ?? { lost: 0 }
  if (first === undefined) return ''
  const others = lost === 1 ? '' : `, like ${countOf(lost - 1, 'other URL')}`
  return `; the login was lost: ${first.url} was redirected to ${first.redirectsTo}${others}`
}

/** Returns the number of new URLs that the seen set missed: an estimate, and an audit's count. */
function lossTexts({ falsePositiveRate, ...losses }: SeenStats): string[] {
  const rate = `false-positive rate ${falsePositiveRate.toPrecision(2)}`
  if (isProbablyComplete(losses)) return [rate, 'probably no URL missed']
  const { expectedLost, audit } = losses
  const missed = `about ${expectedLost.toFixed(1)} URLs missed`
  const found = audit && `${audit.mistakes} of ${audit.sampled} checked`
  return [rate, missed, ...(found === undefined ? [] : [found])]
}

function perSecond(count: number, ms: number): number {
  return ms > 0 ? Math.round((count * 10_000) / ms) / 10 : 0
}
