import type { CrawlState } from './crawl-state.ts'

/** Why a crawl ended. */
export type EndReason = 'finished' | 'max-pages' | 'max-time' | 'stopped' | 'output-closed'

/** Visits that `--max-pages` leaves to this round; infinite without it. */
export function pagesLeft({ config, tally }: CrawlState): number {
  return (config.maxPages ?? Number.POSITIVE_INFINITY) - tally.visitsOfRound
}

/** Why a crawl with nothing in flight is at its end; undefined when it isn't. */
export function endReason(state: CrawlState): EndReason | undefined {
  if (state.frontier.unfinished === 0) return 'finished'
  return pagesLeft(state) <= 0 ? 'max-pages' : undefined
}
