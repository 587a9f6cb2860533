import { hash } from 'node:crypto'
import { type ContentVersion, isGone, saysNothingAboutContent } from '../records/content-version.ts'
import type { FetchResponse } from './fetcher.ts'
import { validatorsOf } from './validators.ts'

/**
 * Returns the version of the URL's content, to compare with the next visit; undefined if the response doesn't show it.
 * @param redirectsTo the target of a redirect, which counts as its content
 */
export function versionOf(
  response: FetchResponse,
  redirectsTo?: string,
): ContentVersion | undefined {
  const { status, headers, body = '', digest, endsEarly } = response
  if (saysNothingAboutContent(status)) return undefined
  if (isGone(status)) return {}
  if (redirectsTo !== undefined) return { digest: hash('sha256', redirectsTo) }
  if (endsEarly) return undefined
  const content = { digest: digest ?? hash('sha256', body) }
  // Servers evaluate conditions only if the response would otherwise be a 2xx (RFC 9110, 13.2.1).
  return status < 300 ? { ...content, ...validatorsOf(headers) } : content
}
