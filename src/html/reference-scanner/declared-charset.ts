import { encodingOf } from '../charset/decode-page.ts'
import { prescan } from './prescan.ts'

/**
 * Returns the declared encoding of a page, with its WHATWG name in lower case. The BOM declares it, or else the charset
 * of the Content-Type, or else the first 1,024 bytes of the page.
 */
export function declaredCharset(
  body: Buffer,
  contentTypeCharset: string | undefined,
): string | undefined {
  return bomEncoding(body) ?? encodingOf(contentTypeCharset ?? '') ?? prescan(body)
}

/** Returns the encoding that a byte order mark declares; undefined without one. */
export function bomEncoding(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}
