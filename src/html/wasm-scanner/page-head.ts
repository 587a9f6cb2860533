import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { encodingOf } from '../charset/decode-page.ts'
import { bomEncoding } from '../reference-scanner/declared-charset.ts'
import { elementText } from '../reference-scanner/decode-text.ts'
import { MAX_ROBOTS, MAX_TITLE, type MetaRobots } from '../reference-scanner/page-collector.ts'
import { declaredEncoding, prescan, xmlEncoding } from '../reference-scanner/prescan.ts'
import { relKeywords } from '../reference-scanner/rel-keywords.ts'
import { MAX_VALUE } from '../reference-scanner/start-tag.ts'
import { type HeadTag, headTags } from './head-tag.ts'
import { HEAD_TAG_KIND } from './layout/codes.ts'
import { MAX_PRESCANNED } from './layout/limits.ts'
import { CONTROL } from './layout/records.ts'
import type { ScannerModule } from './module.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** Returns the declared encoding of the page in the body, like `declaredCharset` of the reference. */
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

/** Returns the encoding that is declared by the first `<meta>` with a declaration. */
export function encodingIn(tags: readonly HeadTag[]): string | undefined {
  for (const tag of tags) {
    const encoding = tag.kind === HEAD_TAG_KIND.meta ? declaredEncoding(tag) : undefined
    if (encoding !== undefined) return encoding
  }
  return undefined
}

/** Returns the `href` of the first `<base>` that has one. */
export function baseIn(tags: readonly HeadTag[], decode: DecodeBytes): string | undefined {
  return tags.find(({ kind }) => kind === HEAD_TAG_KIND.base)?.value('href', decode)
}

/** Returns the `href` of the first `<link rel=canonical>`. */
export function canonicalIn(tags: readonly HeadTag[], decode: DecodeBytes): string | undefined {
  const isCanonical = (tag: HeadTag) =>
    tag.kind === HEAD_TAG_KIND.canonical &&
    relKeywords(tag.value('rel', decode)).includes('canonical')
  return tags.find(isCanonical)?.value('href', decode)
}

/** Returns the content of each `<meta>` with one of the names, at most `MAX_ROBOTS`. */
export function robotsIn(
  tags: readonly HeadTag[],
  names: readonly string[],
  decode: DecodeBytes,
): MetaRobots[] {
  const robots: MetaRobots[] = []
  for (const tag of tags) {
    if (tag.kind !== HEAD_TAG_KIND.meta || robots.length >= MAX_ROBOTS) continue
    const name = tag.value('name', decode)?.toLowerCase()
    if (name === undefined || !names.includes(name)) continue
    const content = tag.value('content', decode)
    if (content !== undefined) robots.push({ name, content })
  }
  return robots
}

/** Returns the first `<title>`, with white space stripped and collapsed. */
export function titleIn(memory: ScannerMemory, decode: DecodeBytes): string | undefined {
  const { titleStart, titleEnd } = CONTROL
  const start = memory.control[titleStart] ?? 0
  const end = Math.min(memory.control[titleEnd] ?? 0, start + MAX_VALUE)
  const raw = memory.textAt(start, end)
  return raw === undefined ? undefined : elementText(raw, decode, MAX_TITLE)
}
