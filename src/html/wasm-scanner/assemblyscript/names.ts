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

/** Bytes that are compared at once; no name that is looked for is longer. */
const LONGEST: i32 = 16

/** Returns whether a tag that is looked into may have a name that begins at `start`: two bytes tell most. */
export function mayBeTag(start: i32): bool {
  return isBeginning(TAG_BEGINNINGS_AT, start)
}

/** The same of attributes that are read. */
export function mayBeAttribute(start: i32): bool {
  return isBeginning(ATTRIBUTE_BEGINNINGS_AT, start)
}

/** Number of the tag whose name stands from `start` to `end`, in whatever case; `UNKNOWN_NAME` for others. */
export function tagNamed(start: i32, end: i32): i32 {
  if (end - start > LONGEST) return UNKNOWN_NAME
  const name = filled(start, end - start)
  const place = (keyOf(name) * TAG_PLACES_MULTIPLIER) >>> TAG_PLACES_SHIFT
  const tag = <i32>load<u8>(TAG_PLACES_AT + <usize>place)
  return tag !== UNKNOWN_NAME && isNameIn(TAG_NAMES_AT, tag, name) ? tag : UNKNOWN_NAME
}

/** The same of attributes. */
export function attributeNamed(start: i32, end: i32): i32 {
  if (end - start > LONGEST) return UNKNOWN_NAME
  const name = filled(start, end - start)
  const place = (keyOf(name) * ATTRIBUTE_PLACES_MULTIPLIER) >>> ATTRIBUTE_PLACES_SHIFT
  const found = <i32>load<u8>(ATTRIBUTE_PLACES_AT + <usize>place)
  return found !== UNKNOWN_NAME && isNameIn(ATTRIBUTE_NAMES_AT, found, name) ? found : UNKNOWN_NAME
}

/** Bits of `TAG_TRAIT`. */
export function traitsOf(tag: i32): i32 {
  return tag === UNKNOWN_NAME ? 0 : <i32>load<u8>(TAG_TRAITS_AT + tag)
}

/** A hash of any name, the same in upper and lower case. */
export function hashOfName(start: i32, end: i32): i32 {
  let hash: u64 = end - start
  for (let at = start; at < end; at += 16) {
    hash = (hash ^ keyOf(lowerAt(at, end - at))) * TAG_PLACES_MULTIPLIER
  }
  return <i32>(hash >>> 32)
}

/** Returns whether two stretches of the page are the same but for upper and lower case. */
export function isSameName(one: i32, other: i32, length: i32): bool {
  for (let at = 0; at < length; at += 16) {
    const left = length - at
    if (!isSame(lowerAt(one + at, left), lowerAt(other + at, left))) return false
  }
  return true
}

/** Up to 16 bytes, upper-case letters made lower case, zeros behind them. */
export function lowerAt(start: i32, length: i32): v128 {
  // That table consists of 16 bytes of ones, then 16 of zeros.
  const isWithin = v128.load(NAME_MASKS_AT + (16 - min(length, 16)))
  return v128.and(lower(bytesAt(start)), isWithin)
}

/** The same, with `>` in place of zeros: names may hold zeros, but no `>`. */
function filled(start: i32, length: i32): v128 {
  return v128.or(lowerAt(start, length), v128.load(NAME_FILLS_AT + (16 - length)))
}

function lower(bytes: v128): v128 {
  const isUpper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26))
  return v128.or(bytes, v128.and(isUpper, i8x16.splat(0x20)))
}

/** Makes a number of a name. `build/page-scanner/name-table.ts` does the same, and sees that places differ. */
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
