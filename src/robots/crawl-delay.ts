import type { RobotsRule, RobotsRules } from './parse.ts'

/**
 * The longest Crawl-delay that is kept, in milliseconds: as long as Heritrix waits. Whoever asks for more does
 * not want to be crawled (Nutch takes it so from 30 s on), and nobody waits for hours to learn the next page.
 */
export const MAX_CRAWL_DELAY_MS = 300_000

const NAME = 'Crawl-delay: '

/** Returns the Crawl-delay that is kept, in milliseconds; 0 when there is none, or a longer one. */
export function keptCrawlDelay({ crawlDelayMs = 0 }: RobotsRules): number {
  return crawlDelayMs > MAX_CRAWL_DELAY_MS ? 0 : crawlDelayMs
}

/** Returns a Crawl-delay that is too long to be kept as the rule that keeps all URLs out. */
export function excessiveCrawlDelay(rules: RobotsRules): RobotsRule | undefined {
  const { crawlDelayMs = 0, crawlDelayLine = 0 } = rules
  if (crawlDelayMs <= MAX_CRAWL_DELAY_MS) return undefined
  return { allow: false, pattern: `${NAME}${crawlDelayMs / 1_000}`, line: crawlDelayLine }
}

/** Says why a rule keeps a URL out. */
export function reasonOf({ line, pattern }: RobotsRule): string {
  const where = `line ${line} of robots.txt`
  if (!pattern.startsWith(NAME)) return `${where} disallows ${pattern}`
  return `${where} asks for ${pattern}, more than the ${MAX_CRAWL_DELAY_MS / 1_000} s that are kept`
}
