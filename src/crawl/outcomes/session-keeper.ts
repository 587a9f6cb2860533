import { setTimeout as pause } from 'node:timers/promises'
import type { CookieJar } from '../../cookies/cookie-jar.ts'
import { messageOf } from '../../errors.ts'
import type { FetcherOptions } from '../../fetch/open-fetcher.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import type { CrawlLogin } from '../../login/crawl-login.ts'
import type { SetCookies } from '../../messages/from-worker.ts'
import type { Outcome } from '../../messages/outcome.ts'
import type { CoordinatorMessage } from '../../messages/to-worker.ts'
import { fetchedFields } from '../../records/visit-record.ts'
import type { CommitBarrier } from '../../state/commit-barrier.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import { buildWorkerSetup, type WorkerSetupParts } from '../worker-pool/build-worker-setup.ts'
import type { WorkerOutcome } from '../worker-pool/pool-events.ts'
import { hostReport, pauseOnly } from './host-signals.ts'
import { putBack } from './put-back.ts'

/** Milliseconds between two checks of the session. */
const CHECK_EVERY = 500
/** Maximum number of times to log in again: sites may block users who do that too often. */
const MAX_RENEWALS = 20
/** A URL that was the first to lead to the login page after this many logins probably ends the session itself. */
const MAX_TIMES_FIRST = 3
/** Number of failed logins in a row after which the crawl continues without a session. */
const MAX_FAILURES = 2
/** Maximum number of warnings about pages that lead to the login page even after a login. */
const MAX_WARNINGS = 20

interface SessionKeeperParts extends WorkerSetupParts {
  readonly barrier: CommitBarrier
  readonly cookies: CookieJar
  readonly frontier: Pick<Frontier, 'completion' | 'outages'>
  readonly logger: Logger
  readonly login: CrawlLogin
  readonly skips: SkipLog
  readonly tally: RunningTotals
}

export interface SessionEvents {
  /** Sends a message to all workers. */
  broadcast(message: CoordinatorMessage): void
  /** Applies held outcomes that count, and continues the crawl. */
  proceed(counted: readonly WorkerOutcome[]): void
}

/** The result of a check of the session. After `failing`, the check is repeated. */
type SessionState = 'valid' | 'renewed' | 'unknown' | 'lost' | 'failing'

/** A visit that was redirected to the login page. */
interface LoginRedirect extends WorkerOutcome {
  readonly redirectsTo: string
  /** Time when the URL was handed out, in milliseconds of the monotonic clock. */
  readonly handedOutAt: number
}

/**
 * Keeps the session of `--login`: when a URL leads to the login page, it checks whether the session is still valid,
 * logs in again if not, and has the URL fetched again.
 */
export class SessionKeeper {
  readonly #parts: SessionKeeperParts
  readonly #events: SessionEvents
  readonly #held = new Map<number, LoginRedirect>()
  /** Ids of URLs that were put back into the queue. */
  readonly #tried = new Set<number>()
  /** How often each URL was the first that showed that the session was lost, by id. */
  readonly #timesFirst = new Map<number, number>()
  #warnings = 0
  #renewedAt = Number.NEGATIVE_INFINITY
  /** Time when the last URL was handed out that was fetched with success, rather than redirected to the login page. */
  #lastSuccessAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #check: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(parts: SessionKeeperParts, events: SessionEvents) {
    this.#parts = parts
    this.#events = events
  }

  /** Number of outcomes that are held. */
  get held(): number {
    return this.#held.size
  }

  /**
   * Logs in, and sends the cookies to the workers.
   * @param signal ends a login that is under way
   * @throws CrawlerError('usage') with the reason if the login failed
   */
  async open(signal: AbortSignal): Promise<void> {
    const { logger, login } = this.#parts
    if (await this.#logIn(signal)) logger.info(`Logged in at ${login.form.url}`)
  }

  /** Holds an outcome that led to the login page. Returns false for an outcome that counts. */
  hold(urlOutcome: WorkerOutcome): boolean {
    const { crawlUrl, outcome } = urlOutcome
    const { completion } = this.#parts.frontier
    const handedOutAt = completion.handedOutAt(crawlUrl.id) ?? 0
    const redirect = this.#loginRedirect(urlOutcome, handedOutAt)
    if (hasSucceeded(outcome)) this.#lastSuccessAt = Math.max(this.#lastSuccessAt, handedOutAt)
    if (redirect === undefined || this.#failures === MAX_FAILURES) {
      this.#forget(crawlUrl.id)
      if (redirect !== undefined) this.#parts.login.countLost(lostPage(redirect))
      return false
    }
    completion.answeredEarly(crawlUrl.id, pauseOnly(hostReport(outcome)), performance.now())
    // The request may have been sent with the cookies of the earlier session.
    if (handedOutAt <= this.#renewedAt) {
      this.#putBack(redirect)
    } else {
      this.#held.set(crawlUrl.id, redirect)
      this.#check ??= this.#checkSoon()
    }
    return true
  }

  /** Ends a check that is under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#check
  }

  #loginRedirect(urlOutcome: WorkerOutcome, handedOutAt: number): LoginRedirect | undefined {
    const { crawlUrl, outcome } = urlOutcome
    if (outcome.type !== 'visited') return undefined
    const { redirectsTo } = fetchedFields(outcome.fields)
    const { pages } = this.#parts.login
    if (redirectsTo === undefined || !pages.has(redirectsTo) || pages.has(crawlUrl.url)) {
      return undefined
    }
    return { ...urlOutcome, redirectsTo, handedOutAt }
  }

  async #checkSoon(): Promise<void> {
    const { signal } = this.#closing
    const { barrier } = this.#parts
    const checked = [...this.#held.values()]
    const state = await this.#checkSession(checked)
    if (signal.aborted) return
    barrier.pass(() => this.#conclude(state, checked))
    // URLs that lead to the login page meanwhile are checked together.
    await pause(CHECK_EVERY, undefined, { signal }).catch(() => {})
    const isNeeded = this.#held.size > 0 && !signal.aborted
    this.#check = isNeeded ? this.#checkSoon() : undefined
  }

  /** Finds out whether the session is valid, and logs in again if not. */
  async #checkSession(redirects: readonly LoginRedirect[]): Promise<SessionState> {
    const { signal } = this.#closing
    try {
      const isValid = await this.#isSessionValid(signal)
      if (isValid === true) return 'valid'
      if (isValid === undefined && redirects.every((each) => this.#isAtFault(each)))
        return 'unknown'
      if (this.#parts.login.renewals === MAX_RENEWALS) {
        this.#giveUp(`It was lost ${MAX_RENEWALS} times before, so the crawl continues without it`)
        return 'lost'
      }
      if (await this.#logIn(signal)) this.#noteRenewal()
      return 'renewed'
    } catch (error) {
      if (++this.#failures < MAX_FAILURES) {
        this.#parts.logger.warn(
          `Logging in again failed, and is tried once more: ${messageOf(error)}`,
        )
        return 'failing'
      }
      this.#giveUp(`Logging in again failed: ${messageOf(error)}`)
      return 'lost'
    }
  }

  async #isSessionValid(signal: AbortSignal): Promise<boolean | undefined> {
    const { isSessionValid } = await import('../../login/session.ts')
    const { cookies: jar, login } = this.#parts
    const cookies = { jar, onSetCookies: (message: SetCookies) => this.#events.broadcast(message) }
    return isSessionValid(login.form, this.#fetcherOptions, cookies, signal)
  }

  /** The options of a fetcher like those of the workers. */
  get #fetcherOptions(): FetcherOptions {
    return { ...buildWorkerSetup(this.#parts), bodySlots: [] }
  }

  /** @returns false if the signal ended it */
  async #logIn(signal: AbortSignal): Promise<boolean> {
    const { cookies, login } = this.#parts
    // Loaded when it is first needed, with the HTTP client: few crawls log in.
    const { logIn } = await import('../../login/session.ts')
    const session = await logIn(login.form, this.#fetcherOptions, signal)
    if (session === undefined) return false
    login.setPages(session.formUrls)
    this.#events.broadcast({ type: 'login-pages', urls: login.pages.urls })
    for (const message of session.cookies) {
      cookies.store(message.url, message.setCookies)
      this.#events.broadcast(message)
    }
    return true
  }

  #noteRenewal(): void {
    this.#renewedAt = performance.now()
    this.#failures = 0
    this.#parts.login.countRenewal()
    this.#warn('Logged in again')
  }

  #giveUp(why: string): void {
    if (this.#closing.signal.aborted) return
    this.#failures = MAX_FAILURES
    this.#warn(why)
  }

  #warn(what: string): void {
    const [first] = this.#held.values()
    if (first === undefined) return
    const { url, redirectsTo } = lostPage(first)
    const text = `The login was lost: ${url} was redirected to ${redirectsTo}. ${what}`
    this.#parts.logger.warn({ url, redirectsTo }, text)
  }

  /** Has held URLs fetched again, except those that lead to the login page in any session. */
  #conclude(state: SessionState, checked: readonly LoginRedirect[]): void {
    if (state === 'failing') return
    const all = [...this.#held.values()]
    // A session that was valid may have been lost since the check.
    const mayHaveChanged = state === 'valid' || state === 'unknown'
    const held = mayHaveChanged ? all.filter((each) => checked.includes(each)) : all
    for (const { crawlUrl } of held) this.#held.delete(crawlUrl.id)
    if (state === 'renewed' && held[0] !== undefined) this.#countFirst(held[0])
    const { again = [], counted = [] } = Object.groupBy(held, (each) =>
      this.#mayHelp(each, state) ? 'again' : 'counted',
    )
    for (const each of again) this.#putBack(each)
    for (const each of counted) if (!this.#isLeasedAway(each)) this.#count(each, state)
    this.#events.proceed(counted)
  }

  #countFirst({ crawlUrl: { id } }: LoginRedirect): void {
    this.#timesFirst.set(id, (this.#timesFirst.get(id) ?? 0) + 1)
  }

  /** Returns whether a URL may have another outcome if it is fetched again. */
  #mayHelp(redirect: LoginRedirect, state: SessionState): boolean {
    if (state === 'lost' || this.#isLeasedAway(redirect)) return false
    if (state === 'unknown') return !this.#isAtFault(redirect)
    if (state === 'valid') return !this.#tried.has(redirect.crawlUrl.id)
    return (this.#timesFirst.get(redirect.crawlUrl.id) ?? 0) < MAX_TIMES_FIRST
  }

  #count(redirect: LoginRedirect, state: SessionState): void {
    const { logger, login } = this.#parts
    this.#forget(redirect.crawlUrl.id)
    if (state === 'lost') login.countLost(lostPage(redirect))
    if (state === 'lost' || state === 'valid' || ++this.#warnings > MAX_WARNINGS) return
    const { url, redirectsTo } = lostPage(redirect)
    const text = `${url} was redirected to ${redirectsTo} after each login: it may log out, or need other rights; --exclude leaves it out`
    logger.warn({ url, redirectsTo }, text)
  }

  #putBack(outcome: WorkerOutcome): void {
    this.#tried.add(outcome.crawlUrl.id)
    putBack(this.#parts, outcome)
  }

  #forget(id: number): void {
    this.#tried.delete(id)
    this.#timesFirst.delete(id)
  }

  /** Returns whether the host of a URL was leased to another process meanwhile. */
  #isLeasedAway({ crawlUrl }: LoginRedirect): boolean {
    return this.#parts.frontier.completion.isLost(crawlUrl.id)
  }

  /** Returns whether a URL was redirected again although the session was valid: a URL handed out later succeeded. */
  #isAtFault({ crawlUrl, handedOutAt }: LoginRedirect): boolean {
    return this.#tried.has(crawlUrl.id) && handedOutAt < this.#lastSuccessAt
  }
}

function hasSucceeded(outcome: Outcome): boolean {
  return outcome.type === 'visited' && outcome.status < 300
}

function lostPage({ crawlUrl, redirectsTo }: LoginRedirect) {
  return { url: crawlUrl.url, redirectsTo }
}
