import { statusText } from '../../records/status-name.ts'
import type { LinkFinding } from './link-findings.ts'

/** Describes the outcome of a link in a few words. */
export function outcomeText(finding: LinkFinding): string {
  const { problem, status, finalStatus, error, redirectsTo } = finding
  if (problem === 'fragment') return 'no such fragment in the page'
  const failure = error === undefined ? '' : `${error.code}: ${error.message}`
  if (redirectsTo === undefined) return failure || statusText(status)
  if (problem === 'broken' && failure === '') return `${statusText(finalStatus)} at ${redirectsTo}`
  const redirect = `${statusText(status)} to ${redirectsTo}`
  return failure === '' ? redirect : `${redirect}: ${failure}`
}
