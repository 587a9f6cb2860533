import { encodingTables } from '../encoding/decoders.ts'
import { indexOrEnd } from './index-or-end.ts'

/**
 * Matches characters that may have other bytes in other encodings. Printable ASCII is the same in all encodings; some
 * controls differ in ISO-2022-JP.
 */
const NEEDS_ENCODER = /[^\t\n\r -~]/
/** The special-query percent-encode set (WHATWG URL) without C0 controls and non-ASCII characters. */
const SPECIAL_QUERY_SET = ' "#\'<>'

/**
 * Percent-encodes the query of an http(s) href in the document's encoding, because the URL parser
 * knows only UTF-8 (WHATWG URL, query state; an unencodable character becomes `%26%23NNNN%3B`).
 * @param encoding label of the WHATWG Encoding standard; an unknown label counts as UTF-8
 */
export function encodeQuery(href: string, encoding: string): string {
  if (!NEEDS_ENCODER.test(href)) return href
  const cleaned = clean(href)
  const fragment = indexOrEnd(cleaned, '#')
  const query = indexOrEnd(cleaned.slice(0, fragment), '?')
  const text = cleaned.slice(query, fragment)
  if (!NEEDS_ENCODER.test(text)) return href
  return cleaned.slice(0, query) + percentEncode(text, encoding) + cleaned.slice(fragment)
}

/** Removes the characters that the parser ignores: trailing controls and spaces, line ends, tabs. */
function clean(href: string): string {
  let end = href.length
  while (end > 0 && href.charCodeAt(end - 1) <= 0x20) end--
  return href.slice(0, end).replace(/[\t\n\r]/g, '')
}

function percentEncode(text: string, encoding: string): string {
  const { normalizeEncoding, percentEncodeAfterEncoding } = encodingTables()
  const name = normalizeEncoding(encoding)
  const isUnicode = name === null || name === 'replacement' || name.startsWith('utf-16')
  return percentEncodeAfterEncoding(isUnicode ? 'utf-8' : name, text, SPECIAL_QUERY_SET)
}
