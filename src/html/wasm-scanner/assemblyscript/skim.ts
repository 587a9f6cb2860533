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
 * Returns the index of the next `<` at or after `from` that starts a start tag with a number below `tagsEnd`, or that
 * isn't part of a tag, as in a comment; -1 if there is none. Skips all other tags, and samples the texts in between. A
 * scan spends most of its time here.
 */
export function skim(from: i32, tagsEnd: i32): i32 {
  let at = from
  while (at >= 0) {
    const open = byteAt(at) === LESS ? at : indexOf(LESS, at)
    if (open === end) return -1
    // The length is checked here and not in `sampleText`, since this saves a call for each tag.
    if (open - at >= MIN_SAMPLE_TEXT) sampleText(at, open)
    const isEnd = byteAt(open + 1) === SLASH
    const start = isEnd ? open + 2 : open + 1
    if (!isLetter(byteAt(start))) return open
    if (!isEnd && mayBeTag(start) && tagNamed(start, endOfTagName(start)) < tagsEnd) return open
    at = endOfPassedTag(start)
  }
  return -1
}

/** Does the same as `endOfTag`, but from the start of the name, and faster for short tags with plain attributes. */
function endOfPassedTag(start: i32): i32 {
  const bytes = bytesAt(start)
  const greater = ctz(bitsOf(GREATER, bytes))
  const equals = ctz(bitsOf(EQUALS, bytes))
  if (greater < equals) return start + greater + 1
  // Without a space before it, a `=` may be part of the tag's name.
  const isAttribute = equals < 16 && ctz(bitsOf(SPACE, bytes)) < equals
  const valueEnd = isAttribute ? endOfPlainValue(start + equals) : -1
  return valueEnd < 0 ? endOfTag(endOfTagName(start)) : endOfPlainAttributes(valueEnd)
}

/** Does the same as `endOfTag`, but from the end of a value, and faster for plain attributes. */
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

/** Returns the index after the value of a `=`; -1 unless a name is before the `=` and the value is in double quotes. */
function endOfPlainValue(equals: i32): i32 {
  const isPlain = byteAt(equals - 1) > GREATER && byteAt(equals + 1) === DOUBLE_QUOTE
  return isPlain ? indexOf(DOUBLE_QUOTE, equals + 2) + 1 : -1
}

/** Returns a mask with one bit for each of 16 bytes: 1 if it is equal to `byte`. */
function bitsOf(byte: i32, bytes: v128): i32 {
  return i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>byte)))
}
