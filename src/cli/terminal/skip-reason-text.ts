import type { Summary } from '../../crawl/stats/stats.ts'
import type { SkipReason } from '../../records/skip.ts'

/** Reasons why URLs were not fetched, in words that follow a number. */
export const SKIP_REASON_TEXT: Readonly<
  Record<string, string> & Record<SkipReason | 'duplicate', string>
> = {
  duplicate: 'already known',
  scheme: 'not http or https',
  'invalid-url': 'not valid',
  nofollow: 'marked nofollow',
  'out-of-scope': 'outside the scope',
  excluded: 'excluded by --include, --exclude, --include-path or --exclude-path',
  'slow-pattern': 'too slow to compare with --include or --exclude',
  logout: 'log out, which --login does not follow',
  login: 'lead to the login page, which --login does not follow',
  hook: 'left out by a hook',
  unmodified: 'not modified since --sitemap-since',
  depth: 'deeper than --depth',
  robots: 'forbidden by robots.txt',
  'host-failed': 'on hosts that were given up',
  trap: 'in traps',
  limit: 'left by --max-pages, --max-time or another limit',
  'domain-limit': 'beyond --max-per-domain',
  'dry-run': 'left by --dry-run',
}

/** Causes that end a crawl before its queue is empty, in words. */
const CAUSES: Partial<Record<Summary['reason'], string>> = {
  'max-pages': '--max-pages',
  'max-time': '--max-time',
  stopped: 'the interruption',
}

/** Returns why URLs are left in the queue of a crawl that isn't stored, in words that follow their number. */
export function leftOverText({
  queued,
  reason,
  skipped,
}: Pick<Summary, 'queued' | 'reason' | 'skipped'>): string {
  const left = skipped['limit'] ?? 0
  const cause = CAUSES[reason]
  if (cause === undefined || queued === 0 || left < queued) return SKIP_REASON_TEXT.limit
  return left === queued ? `left by ${cause}` : `left by ${cause} or another limit`
}
