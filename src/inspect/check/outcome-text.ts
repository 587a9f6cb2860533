import { statusText } from '../../records/status-name.ts'
import type { LinkFinding } from './link-findings.ts'

/** Describes the outcome of a link in a few words. */
export function outcomeText(finding: LinkFinding): string {
  const { problem, status, finalStatus, error, redirectsTo } = finding
  if (problem === 'fragment') return 'no such fragment in the page'
  const end =
    error === undefined ? statusText(finalStatus ?? status) : `${error.code}: ${error.message}`
  if (redirectsTo === undefined) return end
  return problem === 'redirect'
    ? `${statusText(status)} to ${redirectsTo}`
    : `${end} at ${redirectsTo}`
}
