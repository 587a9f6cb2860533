import type { HostReport } from '../../frontier/politeness/host-health.ts'
import type { Outcome } from '../../messages/messages.ts'
import type { ErrorCode } from '../../records/error-code.ts'

/** Failures that speak of the host; others are about one answer, or about us. */
const NO_RESPONSE: ReadonlySet<ErrorCode> = new Set([
  'dns-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'tls-failure',
  'timeout',
])

/** What an outcome tells of its host. */
export function hostReport(outcome: Outcome): HostReport {
  const { ms, retryAfter } = outcome
  const isExcessive = outcome.type === 'visited' && outcome.error === 'retry-after-too-long'
  return { health: healthOf(outcome), ms, retryAfter, isExcessive }
}

/** Of a report, what concerns the next request to the host. */
export function pauseOnly({ ms, retryAfter }: HostReport): HostReport {
  return { health: 'unsure', ms, retryAfter }
}

/** Of a report, what decides whether the host is given up. */
export function healthOnly({ health, isExcessive = false }: HostReport): HostReport {
  return { health, isExcessive }
}

function healthOf(outcome: Outcome): HostReport['health'] {
  switch (outcome.type) {
    case 'postponed':
      return 'unsure'
    case 'visited':
      return outcome.status === 429 || outcome.status >= 500 ? 'failed' : 'well'
    case 'failed':
      return NO_RESPONSE.has(outcome.error) ? 'failed' : 'unsure'
  }
}
