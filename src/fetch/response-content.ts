import { hash } from 'node:crypto'
import { type Content, isGone, saysNothing } from '../records/content.ts'
import type { FetchResponse } from './fetcher.ts'
import { validatorsOf } from './validators.ts'

/**
 * What an answer says of the URL's content, to be compared with the next visit; undefined when it says
 * nothing.
 * @param redirectsTo where it leads elsewhere: that is all that such a URL holds
 */
export function contentOf(answer: FetchResponse, redirectsTo?: string): Content | undefined {
  const { status, headers, body = '', digest, endsEarly } = answer
  if (saysNothing(status)) return undefined
  if (isGone(status)) return {}
  if (redirectsTo !== undefined) return { digest: hash('sha256', redirectsTo) }
  if (endsEarly) return undefined
  const content = { digest: digest ?? hash('sha256', body) }
  // Conditions are heeded where the answer would be a 2xx otherwise (RFC 9110, 13.2.1).
  return status < 300 ? { ...content, ...validatorsOf(headers) } : content
}
