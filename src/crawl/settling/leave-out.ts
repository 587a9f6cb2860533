import type { SkippedFor } from '../../frontier/orders.ts'
import type { CrawlUrl } from '../../wire/crawl-url.ts'
import type { Delivery } from '../../wire/delivery.ts'
import type { Skip } from '../../wire/skip.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Why a seed was not asked for; seeds are no traps. */
export const SKIPPED: Readonly<Record<SkippedFor, string | undefined>> = {
  'host-failed': 'its host was given up',
  limit: 'its host has given as many pages as --max-per-host allows',
  trap: undefined,
}

/**
 * Accounts for a URL that is not asked for: there is no record, or there is one already.
 * @param skip what that tells beside the URL and where it was found
 * @param why what a seed failed for
 */
export function leaveOut(
  { seeds, skips }: CrawlState,
  { url, hop, via, depth, isReread }: CrawlUrl,
  skip: Omit<Skip, 'url' | 'via' | 'depth'>,
  why?: string,
): Delivery[] {
  if (isReread) return []
  skips.note({ url, ...(via !== undefined && { via }), depth, ...skip })
  if (hop === 'seed' && why !== undefined) seeds.fail(url, why)
  return []
}
