import { fieldText, type RobotsField, readField } from './field.ts'
import { robotsLines } from './lines.ts'

export interface RobotsRule {
  readonly allow: boolean
  /** The path as written, with `*` and `$`; never empty. */
  readonly pattern: string
  /** Counted from 1. */
  readonly line: number
}

/** The part of a robots.txt that applies to one crawler. Plain data that can cross threads. */
export interface RobotsRules {
  /** In the order of the file; their number is bounded by its size. */
  readonly rules: readonly RobotsRule[]
  readonly crawlDelayMs?: number
  /** Line number of the Crawl-delay, counted from 1. */
  readonly crawlDelayLine?: number
  /** Sitemaps as written: possibly relative URLs, or not URLs at all. */
  readonly sitemaps: readonly string[]
}

interface Group {
  named: boolean
  readonly rules: RobotsRule[]
  crawlDelayMs?: number
  crawlDelayLine?: number
}

const MAX_SITEMAPS = 10_000
// Longer than any accepted delay, and as long as a robots.txt may be cached (RFC 9309, 2.4).
export const MAX_READABLE_CRAWL_DELAY_MS = 24 * 60 * 60 * 1000

/**
 * Parses a robots.txt for the crawler named `productToken` (RFC 9309, 2.2). All groups that name it
 * are combined. If there are none, the groups of `*` apply. Never throws.
 */
export function parseRobots(body: Uint8Array, productToken: string): RobotsRules {
  const reader = new GroupReader(productToken)
  let number = 0
  for (const line of robotsLines(body)) {
    number++
    const field = readField(line)
    if (field) reader.read(field, number)
  }
  return reader.chosenRules()
}

class GroupReader {
  readonly #token: string
  readonly #own: Group = { named: false, rules: [] }
  readonly #any: Group = { named: false, rules: [] }
  readonly #sitemaps: string[] = []
  /** Groups that the current user-agent lines name. */
  readonly #current = new Set<Group>()
  #rulesBegan = false

  constructor(productToken: string) {
    this.#token = productToken.toLowerCase()
  }

  read({ name, value }: RobotsField, line: number): void {
    if (name === 'user-agent') this.#readUserAgent(value)
    else if (name === 'crawl-delay') this.#readCrawlDelay(value, line)
    else if (name === 'sitemap') this.#readSitemap(value)
    else this.#readRule(name === 'allow', value, line)
  }

  chosenRules(): RobotsRules {
    const { rules, crawlDelayMs, crawlDelayLine } = this.#own.named ? this.#own : this.#any
    const sitemaps = this.#sitemaps
    if (crawlDelayMs === undefined || crawlDelayLine === undefined) return { rules, sitemaps }
    return { rules, crawlDelayMs, crawlDelayLine, sitemaps }
  }

  // Only a rule ends a sequence of user-agent lines. "Other records" must not (RFC 9309, 2.2.4).
  #readUserAgent(value: string): void {
    if (this.#rulesBegan) this.#current.clear()
    this.#rulesBegan = false
    const group = this.#groupOf(value)
    if (!group) return
    group.named = true
    this.#current.add(group)
  }

  // "FooBot/2.1" and "* for all" mean FooBot and *, as in Google's parser.
  #groupOf(value: string): Group | undefined {
    if (/^\*(?:\s|$)/.test(value)) return this.#any
    const token = /^[A-Za-z_-]+/.exec(value)?.[0]
    return token?.toLowerCase() === this.#token ? this.#own : undefined
  }

  // An empty path matches nothing, but it is still a rule: it ends the user-agent lines.
  #readRule(allow: boolean, value: string, line: number): void {
    this.#rulesBegan = true
    if (value === '' || this.#current.size === 0) return
    const rule = { allow, pattern: fieldText(value), line }
    for (const group of this.#current) group.rules.push(rule)
  }

  // The delay applies to the user agents named so far. The longest of several wins.
  #readCrawlDelay(value: string, line: number): void {
    const seconds = /^\d*(?:\.\d*)?$/.test(value) ? Number.parseFloat(value) : Number.NaN
    if (Number.isNaN(seconds)) return
    const ms = Math.min(Math.round(seconds * 1000), MAX_READABLE_CRAWL_DELAY_MS)
    for (const group of this.#current) {
      if (ms < (group.crawlDelayMs ?? 0)) continue
      group.crawlDelayMs = ms
      group.crawlDelayLine = line
    }
  }

  #readSitemap(value: string): void {
    if (value !== '' && this.#sitemaps.length < MAX_SITEMAPS) this.#sitemaps.push(fieldText(value))
  }
}
