import type { CrawlState } from './crawl-state.ts'

/** Why a crawl ended. */
export type EndReason = 'finished' | 'max-pages' | 'max-time' | 'stopped' | 'output-closed'

/** Why a crawl with nothing in flight is at its end; undefined when it isn't. */
export function endReason({ config, frontier, tally }: CrawlState): EndReason | undefined {
  if (frontier.unfinished === 0) return 'finished'
  const { maxPages = Number.POSITIVE_INFINITY } = config
  return tally.visitsOfRound >= maxPages ? 'max-pages' : undefined
}
