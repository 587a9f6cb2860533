import { EXCESSIVE_DELAY_PREFIX, MAX_CRAWL_DELAY_MS } from './crawl-delay-limit.ts'
import type { RobotsRule } from './parse.ts'

/** Explains why a rule disallows a URL. */
export function disallowReason({ line, pattern }: RobotsRule): string {
  const where = `line ${line} of robots.txt`
  if (!pattern.startsWith(EXCESSIVE_DELAY_PREFIX)) return `${where} disallows ${pattern}`
  return `${where} asks for ${pattern}, more than the accepted maximum of ${MAX_CRAWL_DELAY_MS / 1_000} s`
}
