import { formatSeconds } from '../../english-text.ts'
import type { Logger } from '../../logger.ts'
import type { ServerError } from './server-errors.ts'

/** Minimum milliseconds between the logs of two outages, since a server may fail again and again. */
const QUIET_MS = 10_000

/** Logs each reason for which calls wait for a server once, and logs when the server is back. */
export class OutageLog {
  readonly #label: string
  readonly #logger: Logger
  /** Number of calls that wait. */
  #waiting = 0
  #since = 0
  #loggedAt = Number.NEGATIVE_INFINITY
  /** The reasons that are logged in this outage, without their details. */
  readonly #logged = new Set<string>()

  constructor(label: string, logger: Logger) {
    this.#label = label
    this.#logger = logger
  }

  /**
   * Counts a call that begins to wait.
   * @param since start of the call, in milliseconds of the monotonic clock
   */
  callWaits(since: number): void {
    if (this.#waiting === 0) this.#since = since
    this.#waiting++
  }

  /** Logs why calls wait. Details in parentheses, such as an error of a connection, don't make a reason another one. */
  logReason({ text }: Pick<ServerError, 'text'>): void {
    const now = performance.now()
    const [reason = text] = text.split(' (', 1)
    if (this.#logged.has(reason)) return
    if (this.#logged.size === 0 && now - this.#loggedAt < QUIET_MS) return
    this.#logged.add(reason)
    this.#loggedAt = now
    const message = `Redis at ${this.#label} ${text}; the crawl waits, and loses nothing`
    this.#logger.warn({ redis: this.#label }, message)
  }

  /**
   * Counts a call that no longer waits.
   * @param isBack true if the server replied to it
   */
  callEnds(isBack: boolean): void {
    this.#waiting--
    if (this.#waiting > 0 || this.#logged.size === 0) return
    this.#logged.clear()
    if (!isBack) return
    const ms = Math.round(performance.now() - this.#since)
    const message = `Redis at ${this.#label} answers again, after ${formatSeconds(ms)}; the crawl continues`
    this.#logger.info({ redis: this.#label, ms }, message)
  }
}
