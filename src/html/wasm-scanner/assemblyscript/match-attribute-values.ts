import { isSpace } from './find.ts'
import {
  AMPERSAND,
  MAX_META_NAMES,
  META_NAMES_AT,
  TEXT_BYTES,
  TEXTS_AT,
} from './generated/constants.ts'
import { lowerAt } from './names.ts'
import { byteAt, bytesAt } from './page-bytes.ts'

/*
 * Compares attribute values by their bytes as written in the page. Values that may contain a character reference, or
 * that contain non-ASCII characters, are left to TypeScript.
 */

let metaNameCount: i32 = 0

/** Returns whether the value from `start` to `stop` must be decoded by TypeScript. */
export function isUncertain(start: i32, stop: i32): bool {
  const ampersand = i8x16.splat(<i8>AMPERSAND)
  for (let at = start; at < stop; at += 16) {
    const bytes = bytesAt(at)
    const hits = i8x16.bitmask(v128.or(bytes, i8x16.eq(bytes, ampersand)))
    if (hits !== 0) return at + ctz(hits) < stop
  }
  return false
}

/** Returns whether a range of the page is equal to one of the generated texts, in any case. */
export function isText(start: i32, stop: i32, text: i32): bool {
  return isTextAt(start, stop, TEXTS_AT + text * TEXT_BYTES)
}

/** Returns whether one of the words of a value is equal to one of the generated texts, in any case. */
export function hasWord(start: i32, stop: i32, text: i32): bool {
  let wordStart = start
  for (let at = start; at <= stop; at++) {
    if (at < stop && !isSpace(byteAt(at))) continue
    if (isText(wordStart, at, text)) return true
    wordStart = at + 1
  }
  return false
}

/** Sets the names of `<meta>` elements to keep. @param count of the names in `metaNames`; -1 to keep all elements */
export function useMetaNames(count: i32): void {
  assert(count <= MAX_META_NAMES)
  metaNameCount = count
}

/** Returns whether a `<meta>` with that name has to be kept for TypeScript. */
export function isWantedName(start: i32, stop: i32): bool {
  for (let index = 0; index < metaNameCount; index++) {
    if (isTextAt(start, stop, META_NAMES_AT + index * TEXT_BYTES)) return true
  }
  return metaNameCount < 0 || isUncertain(start, stop)
}

/**
 * Returns whether a range of the page is equal to the text at an address. A text is stored as one byte with its length,
 * its bytes, and zeros up to `TEXT_BYTES`.
 */
function isTextAt(start: i32, stop: i32, text: usize): bool {
  const length = <i32>load<u8>(text)
  if (stop - start !== length) return false
  for (let at = 0; at < length; at += 16) {
    const bytes = lowerAt(start + at, length - at)
    if (!i8x16.all_true(i8x16.eq(bytes, v128.load(text + 1 + at)))) return false
  }
  return true
}
