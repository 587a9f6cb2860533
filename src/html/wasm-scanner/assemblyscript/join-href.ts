import { isAt, isLetter } from './find.ts'
import {
  AMPERSAND,
  ANCESTORS_AT,
  COLON,
  DASH,
  DOT,
  HTTP_LENGTH,
  HTTP_MARK,
  HTTPS_LENGTH,
  HTTPS_MARK,
  JOINED_URL_AT,
  MAX_ANCESTORS,
  MAX_TARGETS,
  MAX_URL,
  PASSED_URL_AT,
  PERCENT,
  PLAIN_CHARACTERS_AT,
  QUESTION,
  SLASH,
  TILDE,
  UNDERSCORE,
} from './generated/constants.ts'
import { areSame } from './hash-bytes.ts'
import { addressOf, byteAt } from './page-bytes.ts'
import { targetOf, urlByte, urlOf } from './targets.ts'

/*
 * The base URL of the page's links. Plain hrefs, which are the majority (`../a/b.html`, `/a?b=c`), are joined with it
 * as in `BaseDirectory` (url/join-href.ts).
 */

/** Number of the base URL itself; -1 if there is none with which links can be joined. */
export let baseTarget: i32 = -1

/** Number of the base URL's directory, which is also a URL. */
let directory: i32 = -1
/** Number of the base URL's origin with a slash. */
let root: i32 = -1
let directoryLength: i32 = 0
let rootLength: i32 = 0
/** The number of the page's encoding, shifted to the bits above the number of a URL. */
let encodingBits: i32 = 0

/** The reach of links that resolve to the same URL on all pages. No URL has this number. */
const EVERYWHERE: i32 = MAX_TARGETS
/** A bit in the reach of hrefs that are remembered without the `../` before them. */
const IS_TAIL: i32 = 1 << 30
/** True if the ancestors of the base's directory are known. */
let areAncestorsKnown: bool = false

/** Start of the part of an href that is remembered; set by `locateHref`. */
export let tail: i32 = 0
/** A number for all pages on which this part resolves to the same URL; set by `locateHref`. */
export let reach: i32 = 0

export function leaveBase(): void {
  baseTarget = directory = root = -1
}

/**
 * Makes the canonical http(s) URL in `passedUrl` the base of links.
 * @param encoding a number for the encoding of the page
 * @returns false if there is no more room for URLs
 */
export function openBase(length: i32, encoding: i32): bool {
  leaveBase()
  const target = targetOf(PASSED_URL_AT, length)
  if (target < 0) return false
  // The origin ends before the third slash.
  rootLength = afterSlash(target, afterSlash(target, afterSlash(target, 0, length), length), length)
  directoryLength = rootLength
  for (let at = rootLength; at < length && urlByte(target, at) !== QUESTION; at++) {
    if (urlByte(target, at) === SLASH) directoryLength = at + 1
  }
  root = targetOf(urlOf(target), rootLength)
  directory = targetOf(urlOf(target), directoryLength)
  encodingBits = encoding << 18
  areAncestorsKnown = false
  if (root < 0 || directory < 0) return false
  baseTarget = target
  return true
}

/**
 * Sets `tail` and `reach` for the href from `start` to `end`, which must not be empty. Each `../` before the tail leads
 * to the parent directory, so `../a` in a directory and `../../a` in its subdirectories are remembered as one.
 */
export function locateHref(start: i32, end: i32): void {
  tail = start
  reach = encodingBits
  if (byteAt(start) === SLASH) reach |= root
  else if (isAbsolute(start, end)) reach |= EVERYWHERE
  else {
    let parents = 0
    // At least one byte is left.
    while (parents < MAX_ANCESTORS && isParent(tail, end - 1)) {
      tail += 3
      parents++
    }
    const ancestor = ancestorAt(parents)
    reach |= ancestor < 0 ? directory : ancestor
    if (ancestor < 0) tail = start
    else if (parents > 0) reach |= IS_TAIL
  }
}

/** Returns the number of the URL that is `parents` levels above the directory; -1 if there is no more room for URLs. */
function ancestorAt(parents: i32): i32 {
  if (parents === 0) return directory
  if (!areAncestorsKnown) findAncestors()
  return load<i32>(ancestorPlace(parents))
}

function findAncestors(): void {
  let length = directoryLength
  for (let parents = 1; parents <= MAX_ANCESTORS; parents++) {
    const before = length
    length = parentOf(length)
    const ancestor = length === before ? root : targetOf(urlOf(baseTarget), length)
    store<i32>(ancestorPlace(parents), ancestor)
  }
  areAncestorsKnown = true
}

function ancestorPlace(parents: i32): usize {
  assert(parents > 0 && parents <= MAX_ANCESTORS)
  return ANCESTORS_AT + ((parents - 1) << 2)
}

/**
 * Joins the href from `start` to `end`, which must not be empty and must have no fragment. Returns the number of the
 * URL; -1 if only the parser can resolve the href; -2 if there is no more room for URLs.
 */
export function join(start: i32, end: i32): i32 {
  let length = directoryLength
  let at = start
  if (byteAt(start) === SLASH) {
    length = rootLength
    at++
  } else if (startsWithRoot(start, end)) {
    length = rootLength
    at += rootLength
  } else {
    for (; isParent(at, end); at += 3) length = parentOf(length)
  }
  if (length + end - at > MAX_URL || !isPlain(start, at, end)) return -1
  memory.copy(JOINED_URL_AT, urlOf(directory), length)
  memory.copy(JOINED_URL_AT + length, addressOf(at, end - at), end - at)
  const target = targetOf(JOINED_URL_AT, length + end - at)
  return target < 0 ? -2 : target
}

/** Returns whether the parser would not change the href. @param from start of the part that is joined with the base */
function isPlain(start: i32, from: i32, end: i32): bool {
  let previous = SLASH
  for (let at = from; at < end; at++) {
    const byte = byteAt(at)
    if (byte === QUESTION) return at > start && isPlainQuery(at + 1, end)
    // A dot may begin a dot segment, a slash may begin an authority, and a colon may end a scheme.
    if (previous === SLASH && (byte === DOT || byte === SLASH)) return false
    if (byte === COLON && from === start) return false
    if (!isPlainAt(at, end)) return false
    previous = byte
  }
  return true
}

function isPlainQuery(start: i32, end: i32): bool {
  for (let at = start; at < end; at++) {
    if (byteAt(at) !== QUESTION && !isPlainAt(at, end)) return false
  }
  return true
}

function isPlainAt(at: i32, end: i32): bool {
  const byte = byteAt(at)
  if (byte === PERCENT) return at + 2 < end && isCanonicalEscape(byteAt(at + 1), byteAt(at + 2))
  // A character reference may begin with an ampersand.
  return byte < 0x80 && byte !== AMPERSAND && load<u8>(PLAIN_CHARACTERS_AT + byte) !== 0
}

/** Returns whether an escape with these digits is canonical: they are upper case, and the character needs an escape. */
function isCanonicalEscape(high: i32, low: i32): bool {
  const first = digitOf(high)
  const second = digitOf(low)
  return first >= 0 && second >= 0 && !isUnreserved((first << 4) | second)
}

/** Returns the value of a hexadecimal digit; -1 for other characters and for lower-case digits. */
function digitOf(byte: i32): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  return byte >= 0x41 && byte <= 0x46 ? byte - 0x37 : -1
}

/** Returns whether a character is unreserved, so that it should not be escaped (RFC 3986, section 2.3). */
function isUnreserved(byte: i32): bool {
  if (isLetter(byte) || (byte >= 0x30 && byte <= 0x39)) return true
  return byte === DASH || byte === DOT || byte === UNDERSCORE || byte === TILDE
}

function isParent(at: i32, end: i32): bool {
  return at + 3 <= end && byteAt(at) === DOT && byteAt(at + 1) === DOT && byteAt(at + 2) === SLASH
}

/** Returns the length of a directory's parent. The parent of the root is the root itself. */
function parentOf(length: i32): i32 {
  if (length === rootLength) return length
  let at = length - 2
  while (urlByte(baseTarget, at) !== SLASH) at--
  return at + 1
}

function startsWithRoot(start: i32, end: i32): bool {
  return (
    end - start >= rootLength &&
    areSame(addressOf(start, rootLength), urlOf(baseTarget), rootLength)
  )
}

/** Returns whether the href begins with `http://` or `https://`, and has at least 8 bytes. */
function isAbsolute(start: i32, end: i32): bool {
  if (end - start < 8) return false
  return isAt(start, HTTPS_MARK, HTTPS_LENGTH) || isAt(start, HTTP_MARK, HTTP_LENGTH)
}

/** Returns the index after the next slash of a URL. */
function afterSlash(target: i32, from: i32, length: i32): i32 {
  let at = from
  while (at < length && urlByte(target, at) !== SLASH) at++
  return min(at + 1, length)
}
