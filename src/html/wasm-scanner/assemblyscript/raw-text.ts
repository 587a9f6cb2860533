import { endOfShortName, indexOf } from './find.ts'
import {
  DASH,
  EXCLAMATION,
  GREATER,
  LESS,
  SLASH,
  TAG_PLAINTEXT,
  TAG_SCRIPT,
} from './generated/constants.ts'
import { tagNamed } from './names.ts'
import { byteAt, end } from './page-bytes.ts'

/**
 * Returns the index of the end tag that closes the raw text, RCDATA or script data that starts at `from`; the end of
 * the page if there is none.
 */
export function endOfRawText(from: i32, tag: i32): i32 {
  if (tag === TAG_PLAINTEXT) return end
  if (tag === TAG_SCRIPT) return endOfScript(from)
  let open = indexOf(LESS, from)
  while (open < end && !isEndTag(open, tag)) open = indexOf(LESS, open + 1)
  return open
}

/**
 * Returns the index of the end tag of a script. `<!--` hides a `<script>...</script>` pair inside a script (the escaped
 * states of the standard).
 */
function endOfScript(from: i32): i32 {
  let open = indexOf(LESS, from)
  while (open < end) {
    if (isEndTag(open, TAG_SCRIPT)) return open
    open = indexOf(LESS, beginsComment(open) ? endOfEscape(open + 2) : open + 1)
  }
  return end
}

/**
 * Returns the index at which script data continues after an escape (`<!--`): after its `-->`, or at an end tag that
 * ends both the escape and the script.
 */
function endOfEscape(from: i32): i32 {
  let doubled = false
  for (let at = from; at < end; at++) {
    const byte = byteAt(at)
    if (byte === GREATER) {
      if (at - from >= 2 && byteAt(at - 1) === DASH && byteAt(at - 2) === DASH) return at + 1
    } else if (byte === LESS) {
      const closing = byteAt(at + 1) === SLASH
      if (!isTagNamed(closing ? at + 2 : at + 1, TAG_SCRIPT)) continue
      if (closing && !doubled) return at
      doubled = !closing
    }
  }
  return end
}

function isEndTag(open: i32, tag: i32): bool {
  return byteAt(open + 1) === SLASH && isTagNamed(open + 2, tag)
}

/** Returns whether the whole tag name at `at` is the name of `tag`. */
function isTagNamed(at: i32, tag: i32): bool {
  // Tags with raw text have short names. Longer names can't match, so they are not read to their end.
  const nameEnd = endOfShortName(at)
  return nameEnd < end && tagNamed(at, nameEnd) === tag
}

function beginsComment(open: i32): bool {
  return byteAt(open + 1) === EXCLAMATION && byteAt(open + 2) === DASH && byteAt(open + 3) === DASH
}
