import type { Outcome } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Delivery } from '../../records/delivery.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Another process answers for the URL by now; what was found is as good as ever. */
export function dropLost(
  { frontier, skips }: CrawlState,
  { id }: CrawlUrl,
  outcome: Outcome,
): Delivery[] {
  if (outcome.type === 'visited') {
    skips.write(outcome.skipped)
    frontier.visited(id, outcome, performance.now())
  } else frontier.failed(id, performance.now())
  return []
}
