import type { SkipCause } from '../../frontier/action.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { disallowReason } from '../../robots/disallow-reason.ts'
import type { RobotsRule } from '../../robots/parse.ts'

/** Reasons for skipped seeds, in words. Seeds are never traps. */
const SEED_REASONS: Readonly<Partial<Record<SkipCause, string>>> = {
  'host-failed': 'its host was given up',
  limit: 'its host has reached --max-per-host',
  'domain-limit': 'its domain has reached --max-per-domain',
}

export interface QueuedSkipParts {
  readonly seeds: { fail(url: string, reason: string): void }
  readonly skips: { add(skip: Skip): void }
}

/** Counts and logs a URL that waited in the queue and is not fetched. It has no record. */
export function skipQueuedUrl(
  { seeds, skips }: QueuedSkipParts,
  { url, hop, via, depth, isReread }: CrawlUrl,
  reason: SkipCause,
  rule: RobotsRule | undefined,
): void {
  // A page that would have been read again has its record already.
  if (isReread) return
  const decided = rule && { rule: rule.pattern, line: rule.line }
  skips.add({ url, ...(via !== undefined && { via }), depth, reason, ...decided })
  const isForbidden = reason === 'robots' && rule !== undefined
  const seedReason = isForbidden ? disallowReason(rule) : SEED_REASONS[reason]
  if (hop === 'seed' && seedReason !== undefined) seeds.fail(url, seedReason)
}
