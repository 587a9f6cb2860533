import { statusesOf } from './status-patterns.ts'

/** Reason why a visit has no usable response: the `error.code` of its record. docs/errors.md explains each code. */
export type ErrorCode =
  | 'dns-failure'
  | 'private-address'
  | 'bad-port'
  | 'proxy-failure'
  | 'connection-refused'
  | 'connection-reset'
  | 'connection-failed'
  | 'tls-failure'
  | 'timeout'
  | 'invalid-response'
  | 'header-too-large'
  | 'invalid-content-coding'
  | 'invalid-redirect'
  | 'too-many-redirects'
  | 'retry-after-too-long'
  | 'extraction-failed'
  | 'hook-failed'
  | 'render-failed'
  | 'robots-unreachable'
  | 'worker-died'
  | 'internal'

/** Errors that may not occur in a later crawl: `--retry-failed` fetches these URLs again. */
export const TRANSIENT_FAILURES: readonly string[] = [
  'dns-failure',
  'proxy-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'timeout',
  'retry-after-too-long',
  'robots-unreachable',
] satisfies ErrorCode[]

/** Statuses that may not occur in a later attempt, so they are retried. */
const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]

/**
 * Returns the statuses that are retried.
 * @param further further statuses such as `403`, or `5xx` for a class
 */
export function retriedStatuses(further: readonly string[]): ReadonlySet<number> {
  return new Set([...TRANSIENT_STATUSES, ...statusesOf(further)])
}

/** Errors of pages that exist but could not be rendered or extracted. Links to them are not broken. */
export const PROCESSING_FAILURES: readonly string[] = [
  'render-failed',
  'extraction-failed',
  'hook-failed',
] satisfies ErrorCode[]
