import type { Content } from '../records/content.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** RFC 9110, 8.8.3: weak or strong; what is no entity tag, or longer than anybody needs, isn't kept. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,1000}"$/
const LONGEST_DATE = 64
const PRINTABLE = /^[\x20-\x7e]+$/

/** What the next request for the same URL can be made conditional by. */
export function validatorsOf({ etag, 'last-modified': date }: Headers): Omit<Content, 'digest'> {
  return {
    ...(typeof etag === 'string' && ETAG.test(etag) && { etag }),
    ...(typeof date === 'string' && isDate(date) && { lastModified: date }),
  }
}

/** Headers that ask for a body only when it is another one (RFC 9110, 13.1.2 and 13.1.3). */
export function conditionsFor({ etag, lastModified }: Content): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

function isDate(text: string): boolean {
  const isShort = text.length <= LONGEST_DATE && PRINTABLE.test(text)
  return isShort && !Number.isNaN(Date.parse(text))
}
