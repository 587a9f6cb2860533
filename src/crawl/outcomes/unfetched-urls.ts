import type { SkipCause } from '../../frontier/action.ts'
import type { Failed } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Delivery } from '../../records/delivery.ts'
import type { Skip } from '../../records/skip.ts'
import { disallowReason } from '../../robots/crawl-delay.ts'
import type { RobotsRule } from '../../robots/parse.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Why a seed was not asked for; seeds are no traps. */
const SKIPPED: Readonly<Record<SkipCause, string | undefined>> = {
  'host-failed': 'its host was given up',
  limit: 'its host has given as many pages as --max-per-host allows',
  trap: undefined,
}

/** Accounts for a URL that is not asked for. @returns what is to be written: nothing */
export function leaveOut(state: CrawlState, crawlUrl: CrawlUrl, reason: SkipCause): Delivery[] {
  return note(state, crawlUrl, { reason }, SKIPPED[reason])
}

/** Accounts for a URL that a rule of robots.txt keeps out. @returns what is to be written: nothing */
export function leaveOutByRule(
  state: CrawlState,
  crawlUrl: CrawlUrl,
  rule: RobotsRule,
): Delivery[] {
  const skip = { reason: 'robots', rule: rule.pattern, line: rule.line } as const
  return note(state, crawlUrl, skip, disallowReason(rule))
}

/** A page could not be read again. It has its record; where its links lead now stays unknown. */
export function leaveUnread(
  { frontier, logger }: CrawlState,
  { id, url }: CrawlUrl,
  { message }: Failed,
): Delivery[] {
  logger.warn({ url }, `${url} could not be read again for its links: ${message}`)
  frontier.failed(id, performance.now())
  return []
}

/**
 * There is no record, or there is one already.
 * @param why what a seed failed for
 */
function note(
  { seeds, skips }: CrawlState,
  { url, hop, via, depth, isReread }: CrawlUrl,
  skip: Omit<Skip, 'url' | 'via' | 'depth'>,
  why: string | undefined,
): Delivery[] {
  if (isReread) return []
  skips.note({ url, ...(via !== undefined && { via }), depth, ...skip })
  if (hop === 'seed' && why !== undefined) seeds.fail(url, why)
  return []
}
