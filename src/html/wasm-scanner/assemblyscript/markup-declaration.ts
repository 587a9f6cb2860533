import { after, indexOf, isAt } from './find.ts'
import {
  CDATA_LENGTH,
  CDATA_MARK,
  DASH,
  EXCLAMATION,
  GREATER,
  RIGHT_BRACKET,
} from './generated/constants.ts'
import { byteAt, end } from './page-bytes.ts'

/**
 * Returns the index after the comment, doctype or CDATA section that starts with the `<!` at `open`; the end of the
 * page if it is not closed. CDATA sections exist only in SVG and MathML; elsewhere they are bogus comments.
 */
export function endOfDeclaration(open: i32, allowsCdata: bool): i32 {
  if (byteAt(open + 2) === DASH && byteAt(open + 3) === DASH) return endOfComment(open + 4)
  if (allowsCdata && isAt(open + 2, CDATA_MARK, CDATA_LENGTH)) return endOfCdata(open + 9)
  return after(GREATER, open + 2)
}

/**
 * Returns the index after a comment whose content starts at `start`. A comment ends with `-->` or `--!>`, or at once:
 * `<!-->`, `<!--->`.
 */
function endOfComment(start: i32): i32 {
  let at = indexOf(GREATER, start)
  while (at < end && !closesComment(start, at)) at = indexOf(GREATER, at + 1)
  return min(at + 1, end)
}

function closesComment(start: i32, greater: i32): bool {
  if (greater === start) return true
  const last = byteAt(greater - 1)
  if (last === DASH) return byteAt(greater - 2) === DASH
  if (last !== EXCLAMATION || greater - 3 < start) return false
  return byteAt(greater - 2) === DASH && byteAt(greater - 3) === DASH
}

function endOfCdata(start: i32): i32 {
  let at = indexOf(GREATER, start + 2)
  while (at < end && !closesCdata(at)) at = indexOf(GREATER, at + 1)
  return min(at + 1, end)
}

function closesCdata(greater: i32): bool {
  return byteAt(greater - 1) === RIGHT_BRACKET && byteAt(greater - 2) === RIGHT_BRACKET
}
