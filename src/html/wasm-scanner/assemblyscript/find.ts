import {
  CARRIAGE_RETURN,
  EQUALS,
  FORM_FEED,
  LINE_FEED,
  NAME_ENDS,
  SPACE,
  TAB,
  VALUE_ENDS,
} from './generated/constants.ts'
import { byteAt, bytesAt, end } from './page-bytes.ts'

// These functions compare sixteen bytes at once. The resulting mask has one bit for each byte. Its lowest set bit is at
// the index of the first hit.

/** Returns the index of the next `byte` at or after `from`, or the end of the page. */
export function indexOf(byte: i32, from: i32): i32 {
  const wanted = i8x16.splat(<i8>byte)
  for (let at = from; at < end; at += 16) {
    const hits = i8x16.bitmask(i8x16.eq(bytesAt(at), wanted))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the index of the next byte that is one of the two, or the end of the page. */
export function indexOfEither(one: i32, other: i32, from: i32): i32 {
  const first = i8x16.splat(<i8>one)
  const second = i8x16.splat(<i8>other)
  for (let at = from; at < end; at += 16) {
    const bytes = bytesAt(at)
    const hits = i8x16.bitmask(v128.or(i8x16.eq(bytes, first), i8x16.eq(bytes, second)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the index after the next `byte`, or the end of the page. */
export function after(byte: i32, from: i32): i32 {
  return min(indexOf(byte, from) + 1, end)
}

/** Returns whether the page has a mark at an index. @param length of the mark, up to 8 bytes */
export function isAt(at: i32, mark: u64, length: i32): bool {
  const begin = <u64>i64x2.extract_lane(bytesAt(at), 0)
  // The shift removes the bytes after the mark.
  const shift = <u64>((8 - length) << 3)
  return begin << shift === mark << shift
}

/** Returns the index of the white space, `/` or `>` that ends the tag name at `from`. */
export function endOfTagName(from: i32): i32 {
  for (let at = from; at < end; at += 16) {
    const hits = i8x16.bitmask(among(NAME_ENDS, bytesAt(at)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the same if it is within the next 16 bytes; otherwise the end of the page. */
export function endOfShortName(from: i32): i32 {
  const hits = i8x16.bitmask(among(NAME_ENDS, bytesAt(from)))
  return hits !== 0 ? from + ctz(hits) : end
}

/** Returns the index of the white space, `/`, `>` or `=` that ends the attribute name that starts at `from`. */
export function endOfAttributeName(from: i32): i32 {
  const equals = i8x16.splat(<i8>EQUALS)
  // A `=` as the first character is part of the name.
  for (let at = from + 1; at < end; at += 16) {
    const bytes = bytesAt(at)
    const hits = i8x16.bitmask(v128.or(among(NAME_ENDS, bytes), i8x16.eq(bytes, equals)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the index of the white space or `>` that ends the unquoted value that starts at `from`. */
export function endOfUnquoted(from: i32): i32 {
  for (let at = from; at < end; at += 16) {
    const hits = i8x16.bitmask(among(VALUE_ENDS, bytesAt(at)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

export function skipSpace(from: i32): i32 {
  let at = from
  while (isSpace(byteAt(at))) at++
  return at
}

/** Returns whether a byte is ASCII white space (Infra standard). */
export function isSpace(byte: i32): bool {
  return (
    byte === SPACE ||
    byte === LINE_FEED ||
    byte === TAB ||
    byte === CARRIAGE_RETURN ||
    byte === FORM_FEED
  )
}

export function isLetter(byte: i32): bool {
  return <u32>((byte | 0x20) - 0x61) < 26
}

/**
 * Returns 0xff for each byte that is in a set of characters, and 0 for others. The set contains each character at the
 * index that is equal to the lower four bits of the character.
 */
function among(characters: v128, bytes: v128): v128 {
  return i8x16.eq(i8x16.swizzle(characters, v128.and(bytes, i8x16.splat(15))), bytes)
}
