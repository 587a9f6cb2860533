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

// Sixteen bytes are compared at once. A mask has a bit for each of them, so the lowest bit that is set
// tells where the first hit is.

/** Returns the index of the next `byte` from `from` on, or the end of the page. */
export function indexOf(byte: i32, from: i32): i32 {
  const wanted = i8x16.splat(<i8>byte)
  for (let at = from; at < end; at += 16) {
    const hits = i8x16.bitmask(i8x16.eq(bytesAt(at), wanted))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the index of the next byte that is either of the two, or the end of the page. */
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

/** Returns the index of the white space, `/` or `>` that ends the tag name that holds `from`. */
export function endOfTagName(from: i32): i32 {
  for (let at = from; at < end; at += 16) {
    const hits = i8x16.bitmask(among(NAME_ENDS, bytesAt(at)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** The same, if that stands within the next 16 bytes; else the end of the page. */
export function endOfShortName(from: i32): i32 {
  const hits = i8x16.bitmask(among(NAME_ENDS, bytesAt(from)))
  return hits !== 0 ? from + ctz(hits) : end
}

/** Returns the index of the white space, `/`, `>` or `=` that ends the attribute's name that begins at `from`. */
export function endOfAttributeName(from: i32): i32 {
  const equals = i8x16.splat(<i8>EQUALS)
  // A `=` in first place belongs to the name.
  for (let at = from + 1; at < end; at += 16) {
    const bytes = bytesAt(at)
    const hits = i8x16.bitmask(v128.or(among(NAME_ENDS, bytes), i8x16.eq(bytes, equals)))
    if (hits !== 0) return at + ctz(hits)
  }
  return end
}

/** Returns the index of the white space or `>` that ends the unquoted value that begins at `from`. */
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

/** ASCII white space of the Infra standard. */
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

/** All ones in each byte that belongs to a set: a set has each character at the place that its lower half names. */
function among(characters: v128, bytes: v128): v128 {
  return i8x16.eq(i8x16.swizzle(characters, v128.and(bytes, i8x16.splat(15))), bytes)
}
