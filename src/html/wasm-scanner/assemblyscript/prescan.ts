import { publish } from './control.ts'
import { after, endOfUnquoted, indexOf, isLetter, isSpace } from './find.ts'
import {
  BODY_AT,
  CONTROL_DECLARES_UTF8,
  CONTROL_HEAD_TAG_COUNT,
  DASH,
  EXCLAMATION,
  GREATER,
  LESS,
  MAX_PRESCANNED,
  PADDING,
  PUT_ASIDE_AT,
  QUESTION,
  SLASH,
  TAG_META,
} from './generated/constants.ts'
import { headTagCount, openHeadTags } from './head-tags.ts'
import { tagNamed } from './names.ts'
import { byteAt, end, openPage } from './page-bytes.ts'
import { addDeclaration, declaresUtf8 } from './page-collector.ts'
import { readTag } from './start-tag.ts'
import { endOfTag } from './tag-end.ts'

/** True if the first declaration declares UTF-8. */
let isUtf8: bool = false

/**
 * Finds `<meta>` elements that may declare an encoding, at the start of the page in the body (HTML standard, "prescan a
 * byte stream to determine its encoding"). Keeps them as tags of the head, for TypeScript to decide. The usual
 * declarations of UTF-8 are recognized here.
 */
export function prescan(length: i32): void {
  // The page is shortened during the prescan. The zeros after its end overwrite bytes of the page, which are restored.
  const head = min(length, MAX_PRESCANNED)
  memory.copy(PUT_ASIDE_AT, BODY_AT + head, PADDING)
  openPage(head)
  openHeadTags()
  isUtf8 = false
  let open = indexOf(LESS, 0)
  while (open < end && !isUtf8) {
    const next = isMeta(open) ? metaEnd(open) : markupEnd(open)
    open = next < 0 ? end : indexOf(LESS, next)
  }
  memory.copy(BODY_AT + head, PUT_ASIDE_AT, PADDING)
  publish(CONTROL_HEAD_TAG_COUNT, headTagCount)
  publish(CONTROL_DECLARES_UTF8, i32(isUtf8))
}

function metaEnd(open: i32): i32 {
  const tagEnd = readTag(open + 5)
  if (tagEnd < 0) return tagEnd
  if (headTagCount === 0 && declaresUtf8()) isUtf8 = true
  else addDeclaration()
  return tagEnd
}

function isMeta(open: i32): bool {
  const next = byteAt(open + 5)
  return tagNamed(open + 1, open + 5) === TAG_META && (next === SLASH || isSpace(next))
}

function markupEnd(open: i32): i32 {
  const byte = byteAt(open + 1)
  if (byte === EXCLAMATION && byteAt(open + 2) === DASH && byteAt(open + 3) === DASH) {
    return commentEnd(open + 2)
  }
  const start = byte === SLASH ? open + 2 : open + 1
  if (isLetter(byteAt(start))) return endOfTag(endOfUnquoted(start))
  const isOther = byte === EXCLAMATION || byte === SLASH || byte === QUESTION
  return isOther ? after(GREATER, open + 1) : open + 1
}

/** Returns the index after a comment. In the prescan, the dashes that begin a comment may also end it. */
function commentEnd(from: i32): i32 {
  let at = indexOf(GREATER, from + 2)
  while (at < end && !(byteAt(at - 1) === DASH && byteAt(at - 2) === DASH))
    at = indexOf(GREATER, at + 1)
  return min(at + 1, end)
}
