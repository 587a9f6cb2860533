import { encodeLine } from './json-line.ts'

/** Why a URL that was named is not fetched. */
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
  'depth',
  'robots',
  'host-failed',
  'trap',
  'limit',
  'domain-limit',
  'dry-run',
] as const

export type SkipReason = (typeof SKIP_REASONS)[number]

/** A URL that was named and not fetched: one line of the file of `--skipped`. */
export interface Skip {
  /** Canonical; as it was written, shortened, where it is none that could be fetched. */
  readonly url: string
  /** The page that named it; absent for seeds. */
  readonly via?: string
  /** Depth at which it would have been fetched. */
  readonly depth: number
  readonly reason: SkipReason
  /** The rule of robots.txt that decided, or the expression of `--exclude`. */
  readonly rule?: string
  /** The line of robots.txt with that rule. */
  readonly line?: number
}

/** A URL is accounted for once by the same key. */
export function skipKey({ reason, url }: Pick<Skip, 'reason' | 'url'>): string {
  return `${reason} ${url}`
}

/** The same of a URL that rules of `--canonicalize` merged with another. */
export function mergedKey(url: string): string {
  return `merged ${url}`
}

/** One line of JSON, with its line feed. */
export function encodeSkip(skip: Skip): string {
  return encodeLine(skip)
}
