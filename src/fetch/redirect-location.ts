import { headerText } from '../encoding/header-text.ts'
import { isRedirect } from '../records/redirect-status.ts'
import type { FetchResponse } from './fetcher.ts'

/** Returns the (first) Location of a redirect (RFC 9110, 15.4); undefined for any other response. */
export function locationOf({
  status,
  headers: { location },
}: Pick<FetchResponse, 'status' | 'headers'>): string | undefined {
  if (!isRedirect(status)) return undefined
  const first = Array.isArray(location) ? location[0] : location
  return first === undefined ? undefined : headerText(first)
}
