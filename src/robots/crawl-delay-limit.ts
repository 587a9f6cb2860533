import { MAX_READABLE_CRAWL_DELAY_MS, type RobotsRule, type RobotsRules } from './parse.ts'

/**
 * Longest accepted Crawl-delay, in milliseconds, the same as in Heritrix. A longer one means that
 * the site does not want to be crawled (Nutch draws that line at 30 s).
 */
export const MAX_CRAWL_DELAY_MS = 300_000

/** Start of the pattern of a rule that represents a too long Crawl-delay. */
export const EXCESSIVE_DELAY_PREFIX = 'Crawl-delay: '

/** Returns the accepted Crawl-delay in milliseconds; 0 when there is none or it is too long. */
export function acceptedCrawlDelay({ crawlDelayMs = 0 }: RobotsRules): number {
  return crawlDelayMs > MAX_CRAWL_DELAY_MS ? 0 : crawlDelayMs
}

/** Returns a rule that disallows all URLs when the Crawl-delay is too long to accept. */
export function excessiveCrawlDelay(rules: RobotsRules): RobotsRule | undefined {
  const { crawlDelayMs = 0, crawlDelayLine = 0 } = rules
  if (crawlDelayMs <= MAX_CRAWL_DELAY_MS) return undefined
  const isCut = crawlDelayMs >= MAX_READABLE_CRAWL_DELAY_MS
  const pattern = `${EXCESSIVE_DELAY_PREFIX}${crawlDelayMs / 1_000}${isCut ? ' or more' : ''}`
  return { allow: false, pattern, line: crawlDelayLine }
}
