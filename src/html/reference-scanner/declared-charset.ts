import { encodingOf } from '../charset/decode-page.ts'
import { prescan } from './prescan.ts'

/**
 * The encoding that a page is declared to have, as the WHATWG names it in lower case: by its BOM,
 * by the charset of its Content-Type, or in its first 1,024 bytes.
 */
export function declaredCharset(
  body: Buffer,
  contentTypeCharset: string | undefined,
): string | undefined {
  return bomEncoding(body) ?? encodingOf(contentTypeCharset ?? '') ?? prescan(body)
}

export function bomEncoding(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}
