import { detect } from './detect.ts'
import { encodingOf } from './encoding.ts'
import { prescan } from './prescan.ts'

/**
 * The encoding of a page, as the WHATWG names it in lower case: by its BOM, the charset of its
 * Content-Type, its own declaration, else by its bytes.
 */
export function charsetOf(body: Buffer, contentTypeCharset: string | undefined): string {
  return bomEncoding(body) ?? encodingOf(contentTypeCharset ?? '') ?? prescan(body) ?? detect(body)
}

function bomEncoding(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}
