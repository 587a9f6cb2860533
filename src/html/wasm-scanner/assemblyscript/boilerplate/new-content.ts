import { after, endOfTagName, indexOf, isAt, isLetter } from '../find.ts'
import {
  CLOSING_BRACKET,
  EXCLAMATION,
  GREATER,
  LESS,
  OPENING_BRACKET,
  QUESTION,
  SAMPLE_END,
  SAMPLE_IS_MEDIA,
  SAMPLE_START,
  SLASH,
  SPACE,
  STYLE_URL_LENGTH,
  STYLE_URL_MARK,
  TAG_A,
  TAG_SCRIPT,
  TAG_STYLE,
  TAG_TRAIT_PIECE,
} from '../generated/constants.ts'
import { endOfDeclaration } from '../markup-declaration.ts'
import { tagNamed, traitsOf } from '../names.ts'
import { byteAt, end } from '../page-bytes.ts'
import { endOfRawText } from '../raw-text.ts'
import { sampleCount, sampleField } from '../samples.ts'
import { endOfTag } from '../tag-end.ts'
import {
  beginPage,
  goesOnAfterMedia,
  goesOnAfterMediaSample,
  goesOnAfterText,
  hasRare,
} from './shown-before.ts'
import { readUrl } from './url-words.ts'

/** Number of characters before the bracket of `url(`. */
const BEFORE_BRACKET: i32 = STYLE_URL_LENGTH - 1

/**
 * Returns whether the page that was scanned last has new content, and counts its content. Call it once per page.
 * Corresponds to `BoilerplateDetector` (html/boilerplate/boilerplate-detector.ts).
 * @param urlLength length of the page's URL in `passedUrl`, whose percent-escapes are decoded
 */
export function hasNewContent(urlLength: i32): bool {
  readUrl(urlLength)
  beginPage()
  for (let sample = 0; sample < sampleCount; sample++) {
    if (!goesOnAfterSample(sample)) return true
  }
  if (!hasRare) countPieces()
  return hasRare
}

function goesOnAfterSample(sample: i32): bool {
  const start = sampleField(sample, SAMPLE_START)
  const sampleEnd = sampleField(sample, SAMPLE_END)
  const isMedia = sampleField(sample, SAMPLE_IS_MEDIA) === 1
  return isMedia ? goesOnAfterMediaSample(start, sampleEnd) : goesOnAfterText(start, sampleEnd)
}

/** Counts all texts and media of the page, like `readPieces` (html/boilerplate/page-pieces.ts). */
function countPieces(): void {
  let styleUrl = nextStyleUrl(0)
  let isLabel = false
  for (let at = 0; at < end; ) {
    const open = indexOf(LESS, at)
    if (!isLabel && hasText(at, open) && !goesOnAfterText(at, open)) return
    const isClosing = byteAt(open + 1) === SLASH
    const start = isClosing ? open + 2 : open + 1
    if (!isLetter(byteAt(start))) {
      at = afterOtherMarkup(open)
      continue
    }
    const nameEnd = endOfTagName(start)
    const tagEnd = endOfTag(nameEnd)
    if (tagEnd < 0) return
    at = tagEnd
    const tag = tagNamed(start, nameEnd)
    if (tag === TAG_A) isLabel = !isClosing
    if (isClosing) continue
    const isPiece = (traitsOf(tag) & TAG_TRAIT_PIECE) !== 0
    if (isPiece && !goesOnAfterMedia(nameEnd, tagEnd)) return
    if (styleUrl < nameEnd) styleUrl = nextStyleUrl(nameEnd)
    if (styleUrl < tagEnd && !goesOnAfterMedia(styleUrl, endOfStyleUrl(styleUrl, tagEnd))) return
    if (tag === TAG_SCRIPT || tag === TAG_STYLE) at = endOfRawText(tagEnd, tag)
  }
}

/** Returns the index of the next `url(` at or after `from`; the end of the page if there is none. */
function nextStyleUrl(from: i32): i32 {
  let opening = indexOf(OPENING_BRACKET, from + BEFORE_BRACKET)
  while (opening < end && !isAt(opening - BEFORE_BRACKET, STYLE_URL_MARK, STYLE_URL_LENGTH))
    opening = indexOf(OPENING_BRACKET, opening + 1)
  return opening === end ? end : opening - BEFORE_BRACKET
}

/** Returns the index of the `)` after a `url(`; the end of the tag if there is none in it. */
function endOfStyleUrl(from: i32, tagEnd: i32): i32 {
  let at = from
  while (at < tagEnd && byteAt(at) !== CLOSING_BRACKET) at++
  return at
}

/** Returns whether a range contains more than white space. */
function hasText(start: i32, textEnd: i32): bool {
  for (let at = start; at < textEnd; at++) if (byteAt(at) > SPACE) return true
  return false
}

/** Returns the index after a comment, a declaration, or a `<` that starts no tag. */
function afterOtherMarkup(open: i32): i32 {
  const byte = byteAt(open + 1)
  if (byte === EXCLAMATION) return endOfDeclaration(open, false)
  return byte === QUESTION || byte === SLASH ? after(GREATER, open + 2) : open + 1
}
