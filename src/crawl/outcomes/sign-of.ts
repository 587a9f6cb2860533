import type { AttemptSign, ProbeSign } from '../../frontier/attempt-sign.ts'
import type { FailureSignal, Presence } from '../../frontier/politeness/availability.ts'
import type { Outcome, ProbeReply } from '../../messages/messages.ts'
import type { ErrorCode } from '../../records/error-code.ts'

/** Failures that may be those of a host which is away, or of a proxy in front of it. */
const AWAY: ReadonlySet<ErrorCode> = new Set([
  'dns-failure',
  'proxy-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'tls-failure',
  'timeout',
])

/** Failures that no server which is there can cause. */
const CONCLUSIVE: ReadonlySet<ErrorCode> = new Set(['dns-failure', 'connection-refused'])

/** Statuses of servers that have too much to do, or of those in front of servers that are not there. */
const OVERLOAD: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Statuses of 500 and more that are no sign of trouble: the server does not know what is wanted. */
const UNKNOWN_METHOD: ReadonlySet<number> = new Set([501, 505])

/** What was met. */
type Met = Pick<ProbeReply, 'status' | 'error'>

/** Tells whether an outcome is a sign of life of its host. */
export function outageSign(outcome: Outcome): AttemptSign {
  const met: Met = {
    ...('status' in outcome && { status: outcome.status }),
    ...('error' in outcome && { error: outcome.error }),
  }
  // Links that were claimed must not be dropped.
  const hasLinks =
    outcome.type === 'visited' && outcome.discovered.length + outcome.beside.length > 0
  const countsAnyway = hasLinks || met.error === 'retry-after-too-long'
  const isFinal = outcome.type !== 'postponed'
  const { retryAfter = 0 } = outcome
  return {
    presence: presenceOf(met),
    why: whyOf(met),
    kind: kindOf(met),
    isFinal,
    countsAnyway,
    retryAfter,
  }
}

/** Tells the same of a probe. */
export function probeSign(reply: ProbeReply): ProbeSign {
  const { error, retryAfter = 0 } = reply
  const isConclusive = error !== undefined && CONCLUSIVE.has(error)
  return { presence: presenceOf(reply), why: whyOf(reply), isConclusive, retryAfter }
}

function presenceOf({ status, error }: Met): Presence {
  if (error !== undefined && AWAY.has(error)) return 'away'
  if (status === undefined) return 'unsure'
  const isTroubled = status === 429 || (status >= 500 && !UNKNOWN_METHOD.has(status))
  return isTroubled ? 'away' : 'there'
}

function kindOf({ status = 0, error }: Met): FailureSignal {
  if (error !== undefined && AWAY.has(error)) return 'silence'
  return OVERLOAD.has(status) ? 'overload' : 'error'
}

function whyOf({ status, error }: Met): string {
  if (error !== undefined && AWAY.has(error)) return error.replaceAll('-', ' ')
  return status === undefined ? 'unknown' : `answered ${status}`
}
