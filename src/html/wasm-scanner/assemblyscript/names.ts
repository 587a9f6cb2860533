import {
  ATTRIBUTE_BEGINNINGS_AT,
  ATTRIBUTE_NAMES_AT,
  ATTRIBUTE_PLACES_AT,
  ATTRIBUTE_PLACES_MULTIPLIER,
  ATTRIBUTE_PLACES_SHIFT,
  NAME_FILLS_AT,
  NAME_MASKS_AT,
  TAG_BEGINNINGS_AT,
  TAG_NAMES_AT,
  TAG_PLACES_AT,
  TAG_PLACES_MULTIPLIER,
  TAG_PLACES_SHIFT,
  TAG_TRAITS_AT,
  UNKNOWN_NAME,
} from './generated/constants.ts'
import { byteAt, bytesAt } from './page-bytes.ts'

/** Number of bytes that are compared at once. No known name is longer. */
const LONGEST: i32 = 16

/** Returns whether the tag with the name at `start` may have to be read. Its first two bytes rule out most tags. */
export function mayBeTag(start: i32): bool {
  return isBeginning(TAG_BEGINNINGS_AT, start)
}

/** Returns whether the name at `start` may be the name of an attribute that is read. */
export function mayBeAttribute(start: i32): bool {
  return isBeginning(ATTRIBUTE_BEGINNINGS_AT, start)
}

/** Returns the number of the tag with the name from `start` to `end`, in any case; `UNKNOWN_NAME` for unknown tags. */
export function tagNamed(start: i32, end: i32): i32 {
  if (end - start > LONGEST) return UNKNOWN_NAME
  const name = filled(start, end - start)
  const place = (keyOf(name) * TAG_PLACES_MULTIPLIER) >>> TAG_PLACES_SHIFT
  const tag = <i32>load<u8>(TAG_PLACES_AT + <usize>place)
  return tag !== UNKNOWN_NAME && isNameIn(TAG_NAMES_AT, tag, name) ? tag : UNKNOWN_NAME
}

/** Returns the number of the attribute with the name from `start` to `end`, like `tagNamed`. */
export function attributeNamed(start: i32, end: i32): i32 {
  if (end - start > LONGEST) return UNKNOWN_NAME
  const name = filled(start, end - start)
  const place = (keyOf(name) * ATTRIBUTE_PLACES_MULTIPLIER) >>> ATTRIBUTE_PLACES_SHIFT
  const found = <i32>load<u8>(ATTRIBUTE_PLACES_AT + <usize>place)
  return found !== UNKNOWN_NAME && isNameIn(ATTRIBUTE_NAMES_AT, found, name) ? found : UNKNOWN_NAME
}

/** Returns the traits of a tag as bits of `TAG_TRAIT`. */
export function traitsOf(tag: i32): i32 {
  return tag === UNKNOWN_NAME ? 0 : <i32>load<u8>(TAG_TRAITS_AT + tag)
}

/** Returns a hash of a name, which is the same in upper and lower case. */
export function hashOfName(start: i32, end: i32): i32 {
  let hash: u64 = end - start
  for (let at = start; at < end; at += 16) {
    hash = (hash ^ keyOf(lowerAt(at, end - at))) * TAG_PLACES_MULTIPLIER
  }
  return <i32>(hash >>> 32)
}

/** Returns whether two ranges of the page are equal, ignoring upper and lower case. */
export function isSameName(one: i32, other: i32, length: i32): bool {
  for (let at = 0; at < length; at += 16) {
    const left = length - at
    if (!isSame(lowerAt(one + at, left), lowerAt(other + at, left))) return false
  }
  return true
}

/** Returns up to 16 bytes of the page, with letters in lower case, followed by zeros. */
export function lowerAt(start: i32, length: i32): v128 {
  // The table consists of 16 bytes of 0xff, then 16 bytes of 0.
  const isWithin = v128.load(NAME_MASKS_AT + (16 - min(length, 16)))
  return v128.and(lower(bytesAt(start)), isWithin)
}

/** Returns the same, but followed by `>` instead of zeros: a name may contain zeros, but not `>`. */
function filled(start: i32, length: i32): v128 {
  return v128.or(lowerAt(start, length), v128.load(NAME_FILLS_AT + (16 - length)))
}

function lower(bytes: v128): v128 {
  const isUpper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26))
  return v128.or(bytes, v128.and(isUpper, i8x16.splat(0x20)))
}

/**
 * Returns a number for a name. `build/page-scanner/name-table.ts` computes the same numbers, and chooses multipliers
 * for which all known names get different places.
 */
function keyOf(name: v128): u64 {
  return <u64>i64x2.extract_lane(name, 0) ^ rotl<u64>(<u64>i64x2.extract_lane(name, 1), 32)
}

function isBeginning(beginnings: usize, start: i32): bool {
  const seconds = load<u32>(beginnings + ((byteAt(start) & 31) << 2))
  return (seconds & (1 << (byteAt(start + 1) & 31))) !== 0
}

function isNameIn(names: usize, index: i32, name: v128): bool {
  return isSame(v128.load(names + (index << 4)), name)
}

function isSame(one: v128, other: v128): bool {
  return i8x16.all_true(i8x16.eq(one, other))
}
