import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { elementText } from '../reference-scanner/decode-text.ts'
import { MAX_ROBOTS, MAX_TITLE, type MetaRobots } from '../reference-scanner/page-collector.ts'
import { declaredEncoding } from '../reference-scanner/prescan.ts'
import { relKeywords } from '../reference-scanner/rel-keywords.ts'
import { MAX_VALUE } from '../reference-scanner/start-tag.ts'
import type { HeadTag } from './head-tag.ts'
import { PART_KIND } from './layout/codes.ts'
import { CONTROL } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** The encoding that the first `<meta>` that declares one declares. */
export function encodingIn(parts: readonly HeadTag[]): string | undefined {
  for (const part of parts) {
    const encoding = part.kind === PART_KIND.meta ? declaredEncoding(part) : undefined
    if (encoding !== undefined) return encoding
  }
  return undefined
}

/** `href` of the first `<base>` that has one. */
export function baseIn(parts: readonly HeadTag[], decode: DecodeBytes): string | undefined {
  return parts.find(({ kind }) => kind === PART_KIND.base)?.value('href', decode)
}

/** `href` of the first `<link rel=canonical>`. */
export function canonicalIn(parts: readonly HeadTag[], decode: DecodeBytes): string | undefined {
  const isCanonical = (part: HeadTag) =>
    part.kind === PART_KIND.canonical &&
    relKeywords(part.value('rel', decode)).includes('canonical')
  return parts.find(isCanonical)?.value('href', decode)
}

/** What the page says to the crawlers that are named. */
export function robotsIn(
  parts: readonly HeadTag[],
  names: readonly string[],
  decode: DecodeBytes,
): MetaRobots[] {
  const robots: MetaRobots[] = []
  for (const part of parts) {
    if (part.kind !== PART_KIND.meta || robots.length >= MAX_ROBOTS) continue
    const name = part.value('name', decode)?.toLowerCase()
    if (name === undefined || !names.includes(name)) continue
    const content = part.value('content', decode)
    if (content !== undefined) robots.push({ name, content })
  }
  return robots
}

/** The first `<title>`, white space stripped and collapsed. */
export function titleIn(memory: ScannerMemory, decode: DecodeBytes): string | undefined {
  const { titleStart, titleEnd } = CONTROL
  const start = memory.control[titleStart] ?? 0
  const end = Math.min(memory.control[titleEnd] ?? 0, start + MAX_VALUE)
  const raw = memory.textAt(start, end)
  return raw === undefined ? undefined : elementText(raw, decode, MAX_TITLE)
}
