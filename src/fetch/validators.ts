import type { ContentVersion } from '../records/content-version.ts'
import type { ResponseHeaders } from './fetcher.ts'

/** A weak or strong entity tag (RFC 9110, 8.8.3) of at most 1,000 characters. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,1000}"$/
const LONGEST_DATE = 64
const PRINTABLE = /^[\x20-\x7e]+$/

/** Returns the validators for a conditional request at the next visit. */
export function validatorsOf({
  etag,
  'last-modified': date,
}: ResponseHeaders): Omit<ContentVersion, 'digest'> {
  return {
    ...(typeof etag === 'string' && ETAG.test(etag) && { etag }),
    ...(typeof date === 'string' && isDate(date) && { lastModified: date }),
  }
}

/** Returns the headers that request a body only if it has changed (RFC 9110, 13.1.2 and 13.1.3). */
export function conditionsFor({ etag, lastModified }: ContentVersion): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

function isDate(text: string): boolean {
  const isShort = text.length <= LONGEST_DATE && PRINTABLE.test(text)
  return isShort && !Number.isNaN(Date.parse(text))
}
