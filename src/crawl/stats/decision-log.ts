import { formatSeconds } from '../../english-text.ts'
import { PAUSE_TEXT, type PauseReason } from '../../frontier/hosts/politeness-options.ts'
import type { Logger } from '../../logger.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'

/** Reasons of the pauses that follow each request. */
const REGULAR: ReadonlySet<PauseReason> = new Set(['delay', 'crawl-delay'])
/** Maximum number of hosts to remember whose Crawl-delay was logged. With more hosts, some are logged twice. */
const MAX_HOSTS = 10_000

/**
 * Logs the decisions of a crawl. At `debug`: why URLs are skipped or retried, why hosts wait, and what
 * rendered pages could not load. At `trace`: also every pause, and which worker gets which URL.
 */
export class DecisionLog {
  readonly #logger: Logger
  readonly #isTracing: boolean
  readonly #slowHosts = new Set<string>()

  private constructor(logger: Logger) {
    this.#logger = logger
    this.#isTracing = logger.isLevelEnabled('trace')
  }

  /** Returns undefined if the logger's level hides all of these lines, so that nothing is collected for them. */
  static open(logger: Logger): DecisionLog | undefined {
    return logger.isLevelEnabled('debug') ? new DecisionLog(logger) : undefined
  }

  skipped(skip: Skip): void {
    const { url, via, reason, rule, line } = skip
    const why = rule === undefined ? reason : `${reason} (${rule}, line ${line})`
    const from = via === undefined ? '' : `, linked from ${via}`
    this.#logger.debug(skip, `Skipped ${url}: ${why}${from}`)
  }

  /** @param pause milliseconds until the next attempt */
  retried({ url, attempt }: Pick<CrawlUrl, 'url' | 'attempt'>, why: string, pause: number): void {
    const text = `Trying ${url} again in ${formatSeconds(pause)}, after attempt ${attempt}: ${why}`
    this.#logger.debug({ url, attempt, pause: Math.round(pause) }, text)
  }

  /** @param pause milliseconds without a request to the host */
  paused(host: string, pause: number, reason: PauseReason): void {
    const isRegular = REGULAR.has(reason) && !this.#noteCrawlDelay(host, reason)
    if (isRegular && !this.#isTracing) return
    const fields = { host, pause: Math.round(pause), reason }
    const text = `Waiting ${formatSeconds(pause)} before the next request to ${host}: ${PAUSE_TEXT[reason]}`
    if (isRegular) this.#logger.trace(fields, text)
    else this.#logger.debug(fields, text)
  }

  notLoaded(url: string, why: string): void {
    this.#logger.debug({ url }, `Did not load ${url} for a rendered page: ${why}`)
  }

  assigned({ url, depth, attempt }: CrawlUrl, worker: number): void {
    if (!this.#isTracing) return
    this.#logger.trace({ url, worker, depth, attempt }, `Worker ${worker} gets ${url}`)
  }

  /** Notes a host that is paused by its Crawl-delay. Returns true for the first time, false for other pauses. */
  #noteCrawlDelay(host: string, reason: PauseReason): boolean {
    if (reason !== 'crawl-delay' || this.#slowHosts.has(host)) return false
    if (this.#slowHosts.size >= MAX_HOSTS) this.#slowHosts.clear()
    this.#slowHosts.add(host)
    return true
  }
}
