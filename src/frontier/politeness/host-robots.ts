import type { RobotsAnswer, RobotsFailure } from '../../messages/messages.ts'
import { excessiveCrawlDelay, keptCrawlDelay } from '../../robots/crawl-delay.ts'
import { decide } from '../../robots/match.ts'
import type { RobotsRule } from '../../robots/parse.ts'
import { hasBadPort } from '../../url/bad-port.ts'
import type { KnownRobots } from '../sqlite/host-store.ts'
import type { RuleShelf } from '../sqlite/rule-shelf.ts'
import { RobotsPatience } from './robots-patience.ts'

/** What robots.txt says of one URL; `unknown` while its origin has to be asked. */
export type Verdict = { readonly type: 'allowed' } | { readonly type: 'unknown' } | KeptOut

/** Why a URL is not fetched: a rule says so, or nobody could be asked. */
type KeptOut =
  | { readonly type: 'forbidden'; readonly rule: RobotsRule }
  | { readonly type: 'unreachable'; readonly reason: string }

/** What an origin said, and until when that holds. */
interface SettledRobots {
  readonly answer: RobotsAnswer
  readonly until: number
  /** The rules are too many to be here: the shelf has them. */
  readonly isShelved: boolean
}

/** RFC 9309, 2.4: at most 24 hours. */
export const ROBOTS_LIFETIME_MS = 24 * 60 * 60 * 1_000
/** The same section lets an old copy live on while the file is unreachable: until the next try. */
const EXTENSION_MS = 60 * 60 * 1_000

/** How long a robots.txt is waited for that can't be had. */
export interface Wait {
  /** Others wait for the verdict: it comes after the first few asks. */
  readonly isHasty: boolean
  /** Milliseconds for which its host is waited for, since it had answered. */
  readonly patience: number
}

const NO_WAIT: Wait = { isHasty: false, patience: 0 }

export const ALLOWED = { type: 'allowed' } as const
const UNKNOWN = { type: 'unknown' } as const

/** The robots.txt files of one host: one per origin, http and https. */
export class HostRobots {
  readonly #answers = new Map<string, SettledRobots>()
  readonly #unsaved = new Set<string>()
  readonly #patience = new Map<string, RobotsPatience>()
  readonly #host: number
  readonly #shelf: RuleShelf
  /** An origin that has been asked and has not answered yet: the host waits for it. */
  asking: string | undefined
  /** Comparisons that the last verdict took. */
  cost = 0

  /**
   * @param host id of the host
   * @param shelf holds rules where they are many
   */
  constructor(
    host: number,
    shelf: RuleShelf,
    known: Iterable<readonly [origin: string, known: KnownRobots]>,
  ) {
    this.#host = host
    this.#shelf = shelf
    this.learn(known)
  }

  get isAsking(): boolean {
    return this.asking !== undefined
  }

  /** Takes over what was known before, here or in another process. */
  learn(known: Iterable<readonly [origin: string, known: KnownRobots]>): void {
    for (const [origin, { answer, until, isShelved }] of known) {
      if ('failures' in answer) this.#patience.set(origin, RobotsPatience.kept(answer, until))
      else if (isShelved) this.#answers.set(origin, { answer, until, isShelved })
      else this.#put(origin, answer, until)
    }
  }

  /** The longest Crawl-delay that the host asks for and that is kept, in milliseconds. */
  get crawlDelay(): number {
    let longest = 0
    for (const { answer } of this.#answers.values()) {
      if (answer.access === 'rules') longest = Math.max(longest, keptCrawlDelay(answer.rules))
    }
    return longest
  }

  /** When an origin that could not be had is to be asked again; undefined when it is not. */
  patienceWith(origin: string): RobotsPatience | undefined {
    return this.#patience.get(origin)
  }

  answer(origin: string, answer: RobotsAnswer, now: number, wait: Wait = NO_WAIT): void {
    this.asking = undefined
    if (answer.access !== 'disallow-all') this.#settle(origin, answer, now + ROBOTS_LIFETIME_MS)
    else this.#fail(origin, answer, now, wait)
  }

  /** What could not be had is no longer waited for. */
  giveUp(now: number): void {
    for (const [origin, { failure }] of this.#patience) {
      this.#settle(origin, failure, now + ROBOTS_LIFETIME_MS)
    }
  }

  verdict(origin: string, url: string, now: number): Verdict {
    this.cost = 0
    // Nothing is requested there, robots.txt no more than pages: each says so by itself.
    if (hasBadPort(origin)) return ALLOWED
    const known = this.#answers.get(origin)
    if (known === undefined || now >= known.until) return UNKNOWN
    const { answer, isShelved } = known
    if (answer.access === 'disallow-all') return { type: 'unreachable', reason: answer.reason }
    if (answer.access === 'allow-all') return ALLOWED
    const excess = excessiveCrawlDelay(answer.rules)
    if (excess !== undefined) return { type: 'forbidden', rule: excess }
    const rules = isShelved ? this.#shelf.rulesOf(this.#host, origin) : answer.rules
    if (rules === undefined) return UNKNOWN
    const { rule, cost } = decide(rules, url)
    this.cost = cost
    return rule === undefined || rule.allow ? ALLOWED : { type: 'forbidden', rule }
  }

  /** Answers that came since the last call. */
  takeUnsaved(): [origin: string, known: KnownRobots][] {
    const unsaved = [...this.#unsaved].flatMap((origin): [string, KnownRobots][] => {
      const known = this.#patience.get(origin)?.record ?? this.#whole(origin)
      return known === undefined ? [] : [[origin, known]]
    })
    this.#unsaved.clear()
    return unsaved
  }

  #settle(origin: string, answer: RobotsAnswer, until: number): void {
    this.#patience.delete(origin)
    this.#put(origin, answer, until)
    this.#unsaved.add(origin)
  }

  #put(origin: string, answer: RobotsAnswer, until: number): void {
    const isShelved = this.#shelf.take(this.#host, origin, { answer, until })
    const kept = isShelved ? withoutRules(answer) : answer
    this.#answers.set(origin, { answer: kept, until, isShelved })
  }

  /** What an origin said, with its rules. */
  #whole(origin: string): KnownRobots | undefined {
    const settled = this.#answers.get(origin)
    if (settled === undefined) return undefined
    const { answer, until, isShelved } = settled
    if (!isShelved) return { answer, until }
    const rules = this.#shelf.rulesOf(this.#host, origin)
    return rules && { answer: { access: 'rules', rules }, until }
  }

  #fail(origin: string, failure: RobotsFailure, now: number, wait: Wait): void {
    const old = this.#whole(origin)?.answer
    if (old !== undefined && old.access !== 'disallow-all') {
      this.#settle(origin, old, now + EXTENSION_MS)
      return
    }
    const patience = RobotsPatience.after(this.#patience.get(origin), failure, now, wait.patience)
    if (patience === undefined || (wait.isHasty && patience.isLong)) {
      this.#settle(origin, failure, now + ROBOTS_LIFETIME_MS)
    } else {
      this.#patience.set(origin, patience)
      this.#unsaved.add(origin)
    }
  }
}

/** What of an answer is asked for all the time. */
function withoutRules(answer: RobotsAnswer): RobotsAnswer {
  if (answer.access !== 'rules') return answer
  return { access: 'rules', rules: { ...answer.rules, rules: [], sitemaps: [] } }
}
