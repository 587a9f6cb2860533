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
  | 'robots-unreachable'
  | 'worker-died'
  | 'internal'

/** Of pages that are there: what was wanted of them failed. Links to them are not broken. */
export const READING_FAILURES: readonly string[] = [
  'extraction-failed',
  'hook-failed',
] satisfies ErrorCode[]
