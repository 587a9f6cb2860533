import { decidingRule } from '../robots/match.ts'
import type { RobotsRule } from '../robots/parse.ts'
import type { RobotsAnswer } from '../wire/messages.ts'

/** What robots.txt says of one URL; `unknown` until its origin has been asked. */
export type Verdict = { readonly type: 'allowed' } | { readonly type: 'unknown' } | KeptOut

/** Why a URL is not fetched: a rule says so, or nobody could be asked. */
export type KeptOut =
  | { readonly type: 'forbidden'; readonly rule: RobotsRule }
  | { readonly type: 'unreachable'; readonly reason: string }

export const ALLOWED = { type: 'allowed' } as const
const UNKNOWN = { type: 'unknown' } as const

/** The robots.txt files of one host: one per origin, http and https. */
export class HostRobots {
  readonly #answers = new Map<string, RobotsAnswer>()
  /** An origin that has been asked and has not answered yet: the host waits for it. */
  asking: string | undefined

  /** The longest Crawl-delay that the host asks for, in milliseconds. */
  get crawlDelay(): number {
    let longest = 0
    for (const answer of this.#answers.values()) {
      if (answer.access === 'rules') longest = Math.max(longest, answer.rules.crawlDelayMs ?? 0)
    }
    return longest
  }

  answer(origin: string, answer: RobotsAnswer): void {
    this.#answers.set(origin, answer)
    if (this.asking === origin) this.asking = undefined
  }

  verdict(origin: string, url: string): Verdict {
    const answer = this.#answers.get(origin)
    if (answer === undefined) return UNKNOWN
    if (answer.access === 'disallow-all') return { type: 'unreachable', reason: answer.reason }
    if (answer.access === 'allow-all') return ALLOWED
    const rule = decidingRule(answer.rules, url)
    return rule === undefined || rule.allow ? ALLOWED : { type: 'forbidden', rule }
  }
}
