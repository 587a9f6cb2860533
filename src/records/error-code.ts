/** Why a visit has no usable answer: the `error.code` of its record. docs/errors.md explains each. */
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

/** Failures that a later attempt may not meet again: those that docs/errors.md calls tried again. */
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

/** Statuses that a later attempt may not meet again. */
const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]

/**
 * Returns the statuses that are retried.
 * @param further such as `403`, or `5xx` for a class
 */
export function retriedStatuses(further: readonly string[]): ReadonlySet<number> {
  return new Set([...TRANSIENT_STATUSES, ...further.flatMap(statusesOf)])
}

function statusesOf(pattern: string): number[] {
  if (!pattern.endsWith('xx')) return [Number(pattern)]
  const first = Number(pattern[0]) * 100
  return Array.from({ length: 100 }, (_, at) => first + at)
}

/** Errors of pages that exist, where extraction failed: links to them are not broken. */
export const READING_FAILURES: readonly string[] = [
  'render-failed',
  'extraction-failed',
  'hook-failed',
] satisfies ErrorCode[]
