import { GREATER, isLetter, LESS, SLASH } from '../../encoding/ascii.ts'
import { ASSET_TAGS } from './assets.ts'
import { NameSet } from './name-set.ts'
import type { PageBytes } from './page-bytes.ts'
import { RAW_TEXT_NAMES } from './raw-text.ts'
import { endOfTag, endOfTagName } from './tag-end.ts'
import { MIN_TEXT, type TextSamples } from './text-samples.ts'

/** Tags of images and other media. */
const MEDIA_TAGS = 'audio embed img object source video'.split(' ')
/** The start tags whose attributes the scanner reads. */
export const TAGS: NameSet<string> = new NameSet([
  ...RAW_TEXT_NAMES,
  ...MEDIA_TAGS,
  ...['a', 'area', 'base', 'frame', 'link', 'math', 'meta', 'svg', 'template'],
])
/** In `TAGS` and `TAGS_AND_ASSETS`, names below this index contain raw text. */
export const RAW_TEXT_END: number = RAW_TEXT_NAMES.length
/** In both sets, names from `RAW_TEXT_END` to this index are media. */
export const MEDIA_END: number = RAW_TEXT_END + MEDIA_TAGS.length
/** The same start tags, and those that have assets. */
export const TAGS_AND_ASSETS: NameSet<string> = new NameSet([
  ...new Set([...TAGS.names, ...ASSET_TAGS]),
])

/**
 * Returns the index of the next `<` at or after `from` that starts a start tag in `tags`, or that isn't part of a tag,
 * as in a comment; -1 if there is none. Skips all other tags, and adds the texts in between to `samples`. A scan spends
 * most of its time here.
 */
export function skim(
  { bytes, text }: PageBytes,
  from: number,
  tags: NameSet<string>,
  samples?: TextSamples,
): number {
  let at = from
  while (at >= 0) {
    const open = bytes[at] === LESS ? at : text.indexOf('<', at)
    if (open < 0) return -1
    // The length is checked here and not in `text`, since this saves a call for each tag.
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
