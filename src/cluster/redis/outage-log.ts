import type { Logger } from '../../logger.ts'
import type { ServerError } from './server-errors.ts'

/** Milliseconds between two times that it is said, at least: a server may come and go. */
const QUIET_MS = 10_000

/** The time in which calls of a server wait: says so once for what it lacks, and when it ends. */
export class OutageLog {
  readonly #label: string
  readonly #logger: Logger
  /** Calls that wait. */
  #waiting = 0
  #since = 0
  #toldAt = Number.NEGATIVE_INFINITY
  readonly #told = new Set<ServerError['missing']>()

  constructor(label: string, logger: Logger) {
    this.#label = label
    this.#logger = logger
  }

  /** A call waits. @param since when it began, in milliseconds of the monotonic clock */
  enter(since: number): void {
    if (this.#waiting === 0) this.#since = since
    this.#waiting++
  }

  /** Why a call waits. */
  because({ text, missing: lack }: ServerError): void {
    const now = performance.now()
    if (this.#told.has(lack)) return
    if (this.#told.size === 0 && now - this.#toldAt < QUIET_MS) return
    this.#told.add(lack)
    this.#toldAt = now
    const message = `Redis at ${this.#label} ${text}; the crawl waits, and loses nothing`
    this.#logger.warn({ redis: this.#label }, message)
  }

  /** A call waits no more. @param isBack whether that is since it was answered */
  leave(isBack: boolean): void {
    this.#waiting--
    if (this.#waiting > 0 || this.#told.size === 0) return
    this.#told.clear()
    if (!isBack) return
    const ms = Math.round(performance.now() - this.#since)
    const message = `Redis at ${this.#label} answers again, after ${(ms / 1_000).toFixed(1)} s; the crawl goes on`
    this.#logger.info({ redis: this.#label, ms }, message)
  }
}
