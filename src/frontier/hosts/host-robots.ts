import type { RobotsAnswer, RobotsFailure } from '../../messages/from-worker.ts'
import { acceptedCrawlDelay, excessiveCrawlDelay } from '../../robots/crawl-delay-limit.ts'
import { decide } from '../../robots/decide.ts'
import type { RobotsRule } from '../../robots/parse.ts'
import { hasBadPort } from '../../url/bad-port.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { originOf } from '../../url/origin.ts'
import type { KnownRobots } from '../storage/stored-host.ts'
import type { LargeRules } from './large-rules.ts'
import {
  type AllowedRetries,
  nextRetry,
  type RobotsRetry,
  retryRecord,
  storedRetry,
} from './robots-retry.ts'

/** RFC 9309, 2.4: at most 24 hours. */
export const ROBOTS_LIFETIME_MS = 24 * 60 * 60 * 1_000
/** Lifetime of an old copy while the file is unreachable, which the same section allows. Then it is requested again. */
const EXTENSION_MS = 60 * 60 * 1_000

/** The verdict of robots.txt on one URL; `unknown` if robots.txt must be requested first. */
export type RobotsVerdict =
  | { readonly type: 'allowed'; readonly rule?: RobotsRule }
  | { readonly type: 'unknown' }
  | { readonly type: 'forbidden'; readonly rule: RobotsRule }
  | ({ readonly type: 'unreachable' } & Pick<RobotsFailure, 'reason' | 'error'>)

/** The URL at which to request the robots.txt of an origin: its usual one, or the target of a redirect. */
export interface RobotsTarget {
  readonly origin: string
  readonly url: string
  /** Redirects that led to the URL. */
  readonly redirects: number
}

/** The answer of an origin, and until when it is valid. */
interface ValidRobots {
  readonly answer: RobotsAnswer
  readonly until: number
  /** True if the rules are too large to be kept here: `LargeRules` has them. */
  readonly isLarge: boolean
}

interface LatestVerdict {
  readonly url: string
  readonly verdict: RobotsVerdict
  /** Until when the answer of its origin is valid. */
  readonly until: number
}

/** How often an unreachable robots.txt is requested again. */
interface RetryTerms {
  readonly retries: AllowedRetries
  /** Milliseconds to wait for a host that had answered. */
  readonly patience: number
}

const DEFAULT_TERMS: RetryTerms = { retries: 'all', patience: 0 }

export const ALLOWED = { type: 'allowed' } as const
const UNKNOWN = { type: 'unknown' } as const

/** The robots.txt files of one host: one per origin, http and https. */
export class HostRobots {
  readonly #answers = new Map<string, ValidRobots>()
  // Created when needed: nearly all hosts need none, and an empty map takes 200 bytes.
  #unsaved: Set<string> | undefined
  #retries: Map<string, RobotsRetry> | undefined
  readonly #host: number
  readonly #largeRules: LargeRules
  #isPending = false
  #cost = 0
  #crawlDelay = 0
  /** The last verdict: the next URL of a host is judged several times before its turn comes. */
  #latest: LatestVerdict | undefined

  /**
   * @param host id of the host
   * @param largeRules keeps the rules of large files
   */
  constructor(
    host: number,
    largeRules: LargeRules,
    known: Iterable<readonly [origin: string, known: KnownRobots]>,
  ) {
    this.#host = host
    this.#largeRules = largeRules
    this.learn(known)
  }

  /** True if the host waits for the robots.txt of an origin. */
  get isPending(): boolean {
    return this.#isPending
  }

  /** Comparisons that the last verdict took. */
  get cost(): number {
    return this.#cost
  }

  /** The longest Crawl-delay that the host asks for and that is obeyed, in milliseconds. */
  get crawlDelay(): number {
    return this.#crawlDelay
  }

  /** Adds the robots.txt files that were stored before, here or by another process. */
  learn(known: Iterable<readonly [origin: string, known: KnownRobots]>): void {
    for (const [origin, { answer, until, isLarge }] of known) {
      if ('failures' in answer) this.#beginWait(origin, storedRetry(answer, until))
      else if (isLarge) this.#set(origin, { answer, until, isLarge })
      else this.#put(origin, answer, until)
    }
  }

  /** Lets the host wait until an origin has answered. */
  wait(): void {
    this.#isPending = true
  }

  /** Returns the wait for an unreachable origin; undefined if it is not tried again. */
  retryOf(origin: string): RobotsRetry | undefined {
    return this.#retries?.get(origin)
  }

  /** Returns the wait for the origin of a URL, like `retryOf`. */
  retryForUrl(url: string): RobotsRetry | undefined {
    return this.#retries === undefined ? undefined : this.retryOf(originOf(url))
  }

  /** Stores the answer of an origin. */
  answer(origin: string, answer: RobotsAnswer, now: number, terms = DEFAULT_TERMS): void {
    this.#isPending = false
    if (answer.access !== 'disallow-all') this.#settle(origin, answer, now + ROBOTS_LIFETIME_MS)
    else this.#fail(origin, answer, now, terms)
  }

  /** Stops waiting for unreachable origins. */
  giveUp(now: number): void {
    for (const [origin, { failure }] of this.#retries ?? []) {
      this.#settle(origin, failure, now + ROBOTS_LIFETIME_MS)
    }
  }

  /** Returns whether a URL may be requested, and sets `cost`. */
  verdict(url: string, now: number): RobotsVerdict {
    const latest = this.#latest
    if (latest !== undefined && latest.url === url && now < latest.until) return latest.verdict
    const origin = originOf(url)
    const verdict = this.#judge(origin, url, now)
    const until = this.#answers.get(origin)?.until ?? 0
    this.#latest = verdict === UNKNOWN ? undefined : { url, verdict, until }
    return verdict
  }

  #judge(origin: string, url: string, now: number): RobotsVerdict {
    this.#cost = 0
    // Such a port is never requested, not even for robots.txt. The page itself fails with the reason.
    if (hasBadPort(origin)) return ALLOWED
    const known = this.#answers.get(origin)
    if (known === undefined || now >= known.until) return UNKNOWN
    const { answer, isLarge } = known
    if (answer.access === 'disallow-all') return { ...answer, type: 'unreachable' }
    if (answer.access === 'allow-all') return ALLOWED
    const excess = excessiveCrawlDelay(answer.rules)
    if (excess !== undefined) return { type: 'forbidden', rule: excess }
    const rules = isLarge ? this.#largeRules.rulesOf(this.#host, origin) : answer.rules
    if (rules === undefined) return UNKNOWN
    const { rule, cost } = decide(rules, withoutFragment(url))
    this.#cost = cost
    if (rule === undefined) return ALLOWED
    return { type: rule.allow ? 'allowed' : 'forbidden', rule }
  }

  /** Returns the answers that are new since the last call. */
  takeUnsaved(): [origin: string, known: KnownRobots][] {
    const unsaved = [...(this.#unsaved ?? [])].flatMap((origin): [string, KnownRobots][] => {
      const retry = this.#retries?.get(origin)
      const known = retry === undefined ? this.#complete(origin) : retryRecord(retry)
      return known === undefined ? [] : [[origin, known]]
    })
    this.#unsaved = undefined
    return unsaved
  }

  #settle(origin: string, answer: RobotsAnswer, until: number): void {
    this.#retries?.delete(origin)
    if (this.#retries?.size === 0) this.#retries = undefined
    this.#put(origin, answer, until)
    this.#mustSave(origin)
  }

  #beginWait(origin: string, retry: RobotsRetry): void {
    this.#retries ??= new Map()
    this.#retries.set(origin, retry)
  }

  #mustSave(origin: string): void {
    this.#unsaved ??= new Set()
    this.#unsaved.add(origin)
  }

  #put(origin: string, answer: RobotsAnswer, until: number): void {
    const isLarge = this.#largeRules.take(this.#host, origin, { answer, until })
    const kept = isLarge ? withoutRules(answer) : answer
    this.#set(origin, { answer: kept, until, isLarge })
  }

  #set(origin: string, answer: ValidRobots): void {
    this.#answers.set(origin, answer)
    this.#latest = undefined
    this.#crawlDelay = longestDelay(this.#answers.values())
  }

  /** Returns the answer of an origin with all rules. */
  #complete(origin: string): KnownRobots | undefined {
    const known = this.#answers.get(origin)
    if (known === undefined) return undefined
    const { answer, until, isLarge } = known
    if (!isLarge) return { answer, until }
    const rules = this.#largeRules.rulesOf(this.#host, origin)
    return rules && { answer: { access: 'rules', rules }, until }
  }

  #fail(origin: string, failure: RobotsFailure, now: number, terms: RetryTerms): void {
    const old = this.#complete(origin)?.answer
    if (old !== undefined && old.access !== 'disallow-all') {
      this.#settle(origin, old, now + EXTENSION_MS)
      return
    }
    const retry = nextRetry(this.#retries?.get(origin), failure, now, terms.patience)
    if (retry !== undefined && isAllowed(retry, terms.retries)) {
      this.#beginWait(origin, retry)
      this.#mustSave(origin)
    } else {
      this.#settle(origin, failure, now + ROBOTS_LIFETIME_MS)
    }
  }
}

function isAllowed({ isLong }: RobotsRetry, retries: AllowedRetries): boolean {
  return retries === 'all' || (retries === 'short' && !isLong)
}

/** Returns the longest Crawl-delay that is obeyed, in milliseconds; 0 if there is none. */
function longestDelay(answers: Iterable<ValidRobots>): number {
  let longest = 0
  for (const { answer } of answers) {
    if (answer.access === 'rules') longest = Math.max(longest, acceptedCrawlDelay(answer.rules))
  }
  return longest
}

/** Returns an answer without its rules: only its Crawl-delay is used all the time. */
function withoutRules(answer: RobotsAnswer): RobotsAnswer {
  if (answer.access !== 'rules') return answer
  return { access: 'rules', rules: { ...answer.rules, rules: [], sitemaps: [] } }
}
