import { GREATER, isLetter, LESS, SLASH } from '../../encoding/ascii.ts'
import { ASSET_TAGS } from './assets.ts'
import { NameSet } from './name-set.ts'
import type { Html } from './page-bytes.ts'
import { RAW_TEXT_NAMES } from './raw-text.ts'
import { endOfTag, endOfTagName } from './tag-end.ts'
import { MIN_TEXT, type TextSamples } from './text-samples.ts'

/** Tags that show something by themselves. */
const MEDIA_TAGS = 'audio embed img object source video'.split(' ')
/** The start tags that the scanner looks into. */
export const TAGS: NameSet<string> = new NameSet([
  ...RAW_TEXT_NAMES,
  ...MEDIA_TAGS,
  ...['a', 'area', 'base', 'frame', 'link', 'math', 'meta', 'svg', 'template'],
])
/** Of both lists, the words below the first of these indexes hold raw text, those below the second media. */
export const RAW_TEXT_END: number = RAW_TEXT_NAMES.length
export const MEDIA_END: number = RAW_TEXT_END + MEDIA_TAGS.length
/** The same when it looks for assets, too. */
export const TAGS_AND_ASSETS: NameSet<string> = new NameSet([
  ...new Set([...TAGS.names, ...ASSET_TAGS]),
])

/**
 * Index of the next `<` from `from` on that begins one of `tags`, a comment or the like; -1 when
 * the page ends first. Passes over all other tags: this is where a scan spends its time. Texts in
 * between are noted in `samples`.
 */
export function skim(
  { bytes, text }: Html,
  from: number,
  tags: NameSet<string>,
  samples?: TextSamples,
): number {
  let at = from
  while (at >= 0) {
    const open = bytes[at] === LESS ? at : text.indexOf('<', at)
    if (open < 0) return -1
    // Here and not there: this is asked for each tag.
    if (open - at >= MIN_TEXT) samples?.text(at, open)
    const isEnd = bytes[open + 1] === SLASH
    const start = isEnd ? open + 2 : open + 1
    if (!isLetter(bytes[start] ?? 0)) return open
    const nameEnd = endOfTagName(bytes, start)
    if (!isEnd && tags.indexAt(bytes, start, nameEnd) >= 0) return open
    at = bytes[nameEnd] === GREATER ? nameEnd + 1 : endOfTag(bytes, nameEnd)
  }
  return -1
}
