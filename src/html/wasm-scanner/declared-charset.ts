import { encodingOf } from '../charset/decode-page.ts'
import { bomEncoding } from '../reference-scanner/declared-charset.ts'
import { prescan, xmlEncoding } from '../reference-scanner/prescan.ts'
import { headTags } from './head-tag.ts'
import { MAX_PRESCANNED } from './layout/limits.ts'
import { CONTROL } from './layout/records.ts'
import type { ScannerModule } from './module.ts'
import { encodingIn } from './page-head.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/**
 * Returns the declared encoding of the page in the body, like `declaredCharset` of the reference
 * (html/reference-scanner/declared-charset.ts).
 */
export function declaredEncodingOf(
  module: ScannerModule,
  memory: ScannerMemory,
  length: number,
  contentTypeCharset: string | undefined,
): string | undefined {
  const body = memory.body.subarray(0, length)
  const declared = bomEncoding(body) ?? (contentTypeCharset && encodingOf(contentTypeCharset))
  if (declared) return declared
  // A page that begins like this is in UTF-16, or isn't HTML.
  if (body[0] === 0 || body[1] === 0) return prescan(body)
  module.prescan(length)
  if (memory.control[CONTROL.declaresUtf8] === 1) return 'utf-8'
  return encodingIn(headTags(memory)) ?? xmlEncoding(body.toString('latin1', 0, MAX_PRESCANNED))
}
