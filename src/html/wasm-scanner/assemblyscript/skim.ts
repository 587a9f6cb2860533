import { endOfTagName, indexOf, isLetter } from './find.ts'
import {
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  LESS,
  MIN_SAMPLE_TEXT,
  SLASH,
  SPACE,
} from './generated/constants.ts'
import { mayBeTag, tagNamed } from './names.ts'
import { byteAt, bytesAt, end } from './page-bytes.ts'
import { sampleText } from './samples.ts'
import { endOfTag } from './tag-end.ts'

/**
 * Index of the next `<` from `from` on that begins a tag with a number below `tagsEnd`, a comment or the
 * like; -1 when the page ends first. Passes over all other tags: this is where a scan spends its time.
 * Texts in between are sampled.
 */
export function skim(from: i32, tagsEnd: i32): i32 {
  let at = from
  while (at >= 0) {
    const open = byteAt(at) === LESS ? at : indexOf(LESS, at)
    if (open === end) return -1
    // Here and not there: this is asked for each tag.
    if (open - at >= MIN_SAMPLE_TEXT) sampleText(at, open)
    const isEnd = byteAt(open + 1) === SLASH
    const start = isEnd ? open + 2 : open + 1
    if (!isLetter(byteAt(start))) return open
    if (!isEnd && mayBeTag(start) && tagNamed(start, endOfTagName(start)) < tagsEnd) return open
    at = endOfPassedTag(start)
  }
  return -1
}

/** `endOfTag` from the start of the name. Most tags are short, and their attributes plain. */
function endOfPassedTag(start: i32): i32 {
  const bytes = bytesAt(start)
  const greater = ctz(bitsOf(GREATER, bytes))
  const equals = ctz(bitsOf(EQUALS, bytes))
  if (greater < equals) return start + greater + 1
  // Without a space before it, a `=` may belong to the tag's name.
  const isAttribute = equals < 16 && ctz(bitsOf(SPACE, bytes)) < equals
  const valueEnd = isAttribute ? endOfPlainValue(start + equals) : -1
  return valueEnd < 0 ? endOfTag(endOfTagName(start)) : endOfPlainAttributes(valueEnd)
}

/** `endOfTag` from the end of a value. */
function endOfPlainAttributes(from: i32): i32 {
  let at = from
  while (at < end) {
    if (byteAt(at) === GREATER) return at + 1
    const bytes = bytesAt(at)
    const greater = ctz(bitsOf(GREATER, bytes))
    const equals = ctz(bitsOf(EQUALS, bytes))
    if (greater < equals) return at + greater + 1
    const valueEnd = equals < 16 ? endOfPlainValue(at + equals) : -1
    if (valueEnd < 0) return endOfTag(at)
    at = valueEnd
  }
  return -1
}

/** Returns the index after the value behind a `=`; -1 unless a name ends before that and quotes stand around the value. */
function endOfPlainValue(equals: i32): i32 {
  const isPlain = byteAt(equals - 1) > GREATER && byteAt(equals + 1) === DOUBLE_QUOTE
  return isPlain ? indexOf(DOUBLE_QUOTE, equals + 2) + 1 : -1
}

/** A bit for each of 16 bytes that is a certain one. */
function bitsOf(byte: i32, bytes: v128): i32 {
  return i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>byte)))
}
