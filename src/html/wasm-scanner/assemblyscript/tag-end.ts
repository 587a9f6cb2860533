import { endOfUnquoted, indexOf, indexOfEither, isSpace, skipSpace } from './find.ts'
import { DOUBLE_QUOTE, EQUALS, GREATER, SINGLE_QUOTE, SLASH } from './generated/constants.ts'
import { byteAt, end } from './page-bytes.ts'

/**
 * Returns the index after the `>` that ends the tag whose name ends at `from`; -1 if the page ends before, since the
 * tokenizer then drops the tag. A `>` in a quoted value doesn't end the tag. A quote starts a value only after the `=`
 * that follows an attribute's name.
 */
export function endOfTag(from: i32): i32 {
  let start = from
  let at = from
  while (at < end) {
    at = indexOfEither(GREATER, EQUALS, at)
    if (at === end) return -1
    if (byteAt(at) === GREATER) return at + 1
    // Without a name before it, a `=` is the first character of a name.
    if (followsName(start, at)) start = at = endOfValue(at + 1)
    else at++
  }
  return -1
}

/** Returns whether an attribute's name is before `at`, possibly followed by white space. Reads from `start` on. */
function followsName(start: i32, at: i32): bool {
  let before = at - 1
  while (before >= start && isSpace(byteAt(before))) before--
  return before >= start && byteAt(before) !== SLASH
}

/**
 * Returns the index after the value that follows the `=` before `from`. The index is beyond the page if a quoted value
 * is not closed.
 */
function endOfValue(from: i32): i32 {
  const start = skipSpace(from)
  const first = byteAt(start)
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return indexOf(first, start + 1) + 1
  return endOfUnquoted(start)
}
