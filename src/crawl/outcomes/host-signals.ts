import type { AttemptSign, ProbeSign } from '../../frontier/hosts/availability-signs.ts'
import type { FailureSignal, Presence } from '../../frontier/hosts/host-availability.ts'
import type { HostReport } from '../../frontier/hosts/host-health.ts'
import type { ProbeReply } from '../../messages/from-worker.ts'
import type { Outcome } from '../../messages/outcome.ts'
import type { ErrorCode } from '../../records/error-code.ts'

/** Failures without a response, which count against the host. Others concern a single response, or the crawler. */
const NO_RESPONSE: readonly ErrorCode[] = [
  'dns-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'tls-failure',
  'timeout',
]
const HOST_FAILURES: ReadonlySet<ErrorCode> = new Set(NO_RESPONSE)

/** Failures that suggest that a host, or a proxy in front of it, is away. */
const AWAY: ReadonlySet<ErrorCode> = new Set([...NO_RESPONSE, 'proxy-failure'])

/** Failures that a running server can't cause. */
const CONCLUSIVE: ReadonlySet<ErrorCode> = new Set(['dns-failure', 'connection-refused'])

/** Statuses of overloaded servers, and of proxies in front of servers that are down. */
const OVERLOAD: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Statuses of 5xx that are no sign of trouble: the server doesn't support the request. */
const UNSUPPORTED: ReadonlySet<number> = new Set([501, 505])

/** The status of a response, or the error. */
interface Result {
  readonly status?: number | undefined
  readonly error?: ErrorCode | undefined
}

/** Returns what an outcome says about the presence of its host. */
export function attemptSign(outcome: Outcome): AttemptSign {
  const status = outcome.type === 'failed' ? undefined : outcome.status
  const result = { status, error: outcome.error }
  // The links of the page are in the seen set already. If the outcome didn't count, they would be lost.
  const hasLinks =
    outcome.type === 'visited' && outcome.discovered.length + outcome.sameDepth.length > 0
  return {
    presence: presenceOf(result),
    why: whyOf(result),
    kind: kindOf(result),
    isFinal: outcome.type !== 'postponed',
    countsAnyway: hasLinks || result.error === 'retry-after-too-long',
  }
}

/** Returns what the reply to a probe says about the presence of its host. */
export function probeSign(reply: ProbeReply): ProbeSign {
  const { error, retryAfter = 0 } = reply
  const isConclusive = error !== undefined && CONCLUSIVE.has(error)
  return { presence: presenceOf(reply), why: whyOf(reply), isConclusive, retryAfter }
}

/** Returns what an outcome says about the health and the pace of its host. */
export function hostReport(outcome: Outcome): HostReport {
  const { ms, retryAfter } = outcome
  const isExcessive = outcome.type === 'visited' && outcome.error === 'retry-after-too-long'
  return { health: healthOf(outcome), ms, retryAfter, isExcessive }
}

/** Returns the part of a report that concerns the pause before the next request. */
export function pauseOnly({ ms, retryAfter }: HostReport): HostReport {
  return { health: 'unsure', ms, retryAfter }
}

/** Returns the part of a report that decides whether the host is given up. */
export function healthOnly({ health, isExcessive = false }: HostReport): HostReport {
  return { health, isExcessive }
}

function presenceOf({ status, error }: Result): Presence {
  if (error !== undefined && AWAY.has(error)) return 'away'
  if (status === undefined) return 'unsure'
  const isTroubled = status === 429 || (status >= 500 && !UNSUPPORTED.has(status))
  return isTroubled ? 'away' : 'there'
}

function kindOf({ status = 0, error }: Result): FailureSignal {
  if (error !== undefined && AWAY.has(error)) return 'silence'
  return OVERLOAD.has(status) ? 'overload' : 'error'
}

function whyOf({ status, error }: Result): string {
  if (error !== undefined && AWAY.has(error)) return error.replaceAll('-', ' ')
  return status === undefined ? 'unknown' : `answered ${status}`
}

function healthOf(outcome: Outcome): HostReport['health'] {
  switch (outcome.type) {
    case 'postponed':
      return 'unsure'
    case 'visited':
      return outcome.status === 429 || outcome.status >= 500 ? 'failed' : 'well'
    case 'failed':
      return HOST_FAILURES.has(outcome.error) ? 'failed' : 'unsure'
  }
}
