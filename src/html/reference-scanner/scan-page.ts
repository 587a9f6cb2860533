import { hasAsciiDelimiters, pieceDecoder } from '../../encoding/decode-byte-string.ts'
import { decodePage } from '../charset/decode-page.ts'
import { guessCharset } from '../charset/guess-charset.ts'
import { declaredCharset } from './declared-charset.ts'
import type { ScannedPage, ScanOptions } from './page-collector.ts'
import { scan } from './scan.ts'

export interface DecodedScan {
  /** The WHATWG name of the encoding, in lower case. */
  readonly charset: string
  readonly page: ScannedPage
}

/**
 * Finds the encoding of a page, and scans the page for links. Never throws.
 * @param contentTypeCharset the charset of the Content-Type as the server sent it
 */
export function scanPage(
  body: Buffer,
  contentTypeCharset: string | undefined,
  options: Omit<ScanOptions, 'decode'>,
): DecodedScan {
  const declared = declaredCharset(body, contentTypeCharset)
  if (declared !== undefined) return { charset: declared, page: scanAs(declared, body, options) }
  const charset = guessCharset(body)
  const page = scanAs(charset, body, options)
  // Like browsers, start again if a `<meta>` further down declares another encoding.
  const late = hasAsciiDelimiters(charset) ? (page.charset ?? charset) : charset
  return { charset: late, page: late === charset ? page : scanAs(late, body, options) }
}

/**
 * Scans a page in an encoding. If the delimiters of the encoding are ASCII, the page isn't decoded as a whole: only
 * values with bytes from 0x80 up are decoded.
 */
function scanAs(charset: string, body: Buffer, options: Omit<ScanOptions, 'decode'>): ScannedPage {
  const isReadable = hasAsciiDelimiters(charset) && charset !== 'replacement'
  if (isReadable) return scan(body, { ...options, decode: pieceDecoder(charset) })
  const utf8 = Buffer.from(decodePage(body, charset))
  return scan(utf8, { ...options, decode: pieceDecoder('utf-8') })
}
