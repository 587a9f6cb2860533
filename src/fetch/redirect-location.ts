import { percentEncoded } from '../encoding/percent-encoded.ts'
import { isRedirect } from '../records/redirect-status.ts'
import type { FetchResponse } from './fetcher.ts'

/**
 * Returns the (first) Location of a redirect (RFC 9110, 15.4); undefined for any other response. Bytes above ASCII are
 * percent-encoded, so that the server gets them back as in browsers, whatever its encoding.
 */
export function locationOf({
  status,
  headers: { location },
}: Pick<FetchResponse, 'status' | 'headers'>): string | undefined {
  if (!isRedirect(status)) return undefined
  const first = Array.isArray(location) ? location[0] : location
  return first?.replace(/[\x80-\xff]/g, percentEncoded)
}
