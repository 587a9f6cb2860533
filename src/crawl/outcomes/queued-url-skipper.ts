import type { SkipCause } from '../../frontier/action.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import { disallowReason } from '../../robots/disallow-reason.ts'
import type { RobotsRule } from '../../robots/parse.ts'

/** Reasons for skipped seeds, in words. Seeds are never traps. */
const SEED_REASONS: Readonly<Record<SkipCause, string | undefined>> = {
  'host-failed': 'its host was given up',
  limit: 'its host has reached --max-per-host',
  'domain-limit': 'its domain has reached --max-per-domain',
  trap: undefined,
  'dry-run': undefined,
}

export interface QueuedUrlSkipperParts {
  readonly seeds: { fail(url: string, reason: string): void }
  readonly skips: { add(skip: Skip): void }
}

/** Counts and logs URLs that waited in the queue and are not fetched. They have no record. */
export class QueuedUrlSkipper {
  readonly #parts: QueuedUrlSkipperParts

  constructor(parts: QueuedUrlSkipperParts) {
    this.#parts = parts
  }

  /** Skips a URL because of its host or a limit. */
  skip(crawlUrl: CrawlUrl, reason: SkipCause, rule?: RobotsRule): void {
    const decided = rule && { rule: rule.pattern, line: rule.line }
    this.#add(crawlUrl, { reason, ...decided }, SEED_REASONS[reason])
  }

  /** Skips a URL that a rule of robots.txt forbids. */
  forbid(crawlUrl: CrawlUrl, rule: RobotsRule): void {
    const skip = { reason: 'robots', rule: rule.pattern, line: rule.line } as const
    this.#add(crawlUrl, skip, disallowReason(rule))
  }

  /** @param seedReason why a seed failed */
  #add(
    { url, hop, via, depth, isReread }: CrawlUrl,
    skip: Omit<Skip, 'url' | 'via' | 'depth'>,
    seedReason: string | undefined,
  ): void {
    // A page that would have been read again has its record already.
    if (isReread) return
    const { seeds, skips } = this.#parts
    skips.add({ url, ...(via !== undefined && { via }), depth, ...skip })
    if (hop === 'seed' && seedReason !== undefined) seeds.fail(url, seedReason)
  }
}
