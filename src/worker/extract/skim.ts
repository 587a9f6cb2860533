import { GREATER, isLetter, LESS, SLASH } from './ascii.ts'
import { ASSET_TAGS } from './assets.ts'
import type { Html } from './html.ts'
import { RAW_TEXT_NAMES } from './raw-text.ts'
import { endOfTag, endOfTagName } from './tag-end.ts'
import { Words } from './words.ts'

/** The start tags that the scanner looks into. */
export const TAGS: Words<string> = new Words([
  ...RAW_TEXT_NAMES,
  ...['a', 'area', 'base', 'frame', 'link', 'math', 'meta', 'svg', 'template'],
])
/** The same when it looks for assets, too. */
export const TAGS_AND_ASSETS: Words<string> = new Words([
  ...new Set([...TAGS.names, ...ASSET_TAGS]),
])

/**
 * Index of the next `<` from `from` on that begins one of `tags`, a comment or the like; -1 when
 * the page ends first. Passes over all other tags: this is where a scan spends its time.
 */
export function skim({ bytes, text }: Html, from: number, tags: Words<string>): number {
  let at = from
  while (at >= 0) {
    const open = bytes[at] === LESS ? at : text.indexOf('<', at)
    if (open < 0) return -1
    const isEnd = bytes[open + 1] === SLASH
    const start = isEnd ? open + 2 : open + 1
    if (!isLetter(bytes[start] ?? 0)) return open
    const nameEnd = endOfTagName(bytes, start)
    if (!isEnd && tags.indexAt(bytes, start, nameEnd) >= 0) return open
    at = bytes[nameEnd] === GREATER ? nameEnd + 1 : endOfTag(bytes, nameEnd)
  }
  return -1
}
