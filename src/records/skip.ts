/** Reasons why a URL that was found is not fetched. */
export const SKIP_REASONS = [
  'scheme',
  'invalid-url',
  'nofollow',
  'out-of-scope',
  'excluded',
  'slow-pattern',
  'logout',
  'login',
  'hook',
  'unmodified',
  'depth',
  'robots',
  'host-failed',
  'trap',
  'limit',
  'domain-limit',
  'dry-run',
] as const

export type SkipReason = (typeof SKIP_REASONS)[number]

/** A URL that was found and not fetched: one line of the file of `--skipped`. */
export interface Skip {
  /** Canonical URL. A URL that can't be fetched at all is kept as it was written, shortened. */
  readonly url: string
  /** The page on which it was found; absent for seeds. */
  readonly via?: string
  /** Depth at which it would have been fetched. */
  readonly depth: number
  readonly reason: SkipReason
  /** The rule of robots.txt that decided, or the expression of `--exclude`. */
  readonly rule?: string
  /** The line of robots.txt with that rule. */
  readonly line?: number
}

/** Returns the key of a skipped URL. URLs with the same key are counted once. */
export function skipKey({ reason, url }: Pick<Skip, 'reason' | 'url'>): string {
  return `${reason} ${url}`
}

/** Returns the key of a URL that rules of `--canonicalize` merged with another. */
export function mergedKey(url: string): string {
  return `merged ${url}`
}
