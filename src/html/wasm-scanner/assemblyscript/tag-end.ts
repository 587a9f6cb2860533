import { endOfUnquoted, indexOf, indexOfEither, isSpace, skipSpace } from './find.ts'
import { DOUBLE_QUOTE, EQUALS, GREATER, SINGLE_QUOTE, SLASH } from './generated/constants.ts'
import { byteAt, end } from './page-bytes.ts'

/**
 * Index after the `>` that ends the tag whose name ends at `from`, or -1 when the page ends first
 * (the tokenizer then drops the tag). A `>` in a quoted value does not count, and a quote opens a
 * value only after the `=` that follows an attribute's name.
 */
export function endOfTag(from: i32): i32 {
  let start = from
  let at = from
  while (at < end) {
    at = indexOfEither(GREATER, EQUALS, at)
    if (at === end) return -1
    if (byteAt(at) === GREATER) return at + 1
    // Without a name before it, a `=` is the first character of one.
    if (followsName(start, at)) start = at = endOfValue(at + 1)
    else at++
  }
  return -1
}

/** Returns whether an attribute's name, and white space at most, stand before `at`; nothing before `start` counts. */
function followsName(start: i32, at: i32): bool {
  let before = at - 1
  while (before >= start && isSpace(byteAt(before))) before--
  return before >= start && byteAt(before) !== SLASH
}

/** Returns the index after the value that follows the `=` before `from`; beyond the page when that ends first. */
function endOfValue(from: i32): i32 {
  const start = skipSpace(from)
  const first = byteAt(start)
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return indexOf(first, start + 1) + 1
  return endOfUnquoted(start)
}
