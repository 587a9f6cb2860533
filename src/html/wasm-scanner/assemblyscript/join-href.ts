import { isLetter } from './find.ts'
import {
  AMPERSAND,
  COLON,
  DASH,
  DOT,
  HTTP_MARK,
  HTTPS_MARK,
  JOINED_URL_AT,
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
 * What the links of the page are relative to, and the joining of the plain majority of hrefs with it
 * (`../a/b.html`, `/a?b=c`), as `BaseDirectory` does it (url/join-href.ts).
 */

/** Number of the base URL itself; -1 where there is none that links could be joined with. */
export let self: i32 = -1

/** Numbers of its directory and of its origin with a slash, and how long these are. */
let directory: i32 = -1
let root: i32 = -1
let directoryLength: i32 = 0
let rootLength: i32 = 0
/** Stands for the page's encoding in the bits above a number of a URL. */
let encodingBits: i32 = 0

/** Where links name the same from everywhere: no URL has this number. */
const EVERYWHERE: i32 = MAX_TARGETS

export function leaveBase(): void {
  self = directory = root = -1
}

/**
 * Makes the canonical http(s) URL in `passedUrl` the one that links are relative to.
 * @param encoding a number for the encoding of the page
 * @returns false where there is no more room for URLs
 */
export function openBase(length: i32, encoding: i32): bool {
  leaveBase()
  const target = targetOf(PASSED_URL_AT, length)
  if (target < 0) return false
  // `http:`, `//` and the host end in the first three slashes.
  rootLength = afterSlash(target, afterSlash(target, afterSlash(target, 0, length), length), length)
  directoryLength = rootLength
  for (let at = rootLength; at < length && urlByte(target, at) !== QUESTION; at++) {
    if (urlByte(target, at) === SLASH) directoryLength = at + 1
  }
  root = targetOf(urlOf(target), rootLength)
  directory = targetOf(urlOf(target), directoryLength)
  encodingBits = encoding << 18
  if (root < 0 || directory < 0) return false
  self = target
  return true
}

/** A number for all pages on which the href from `start` to `end`, which isn't empty, names the same. */
export function reachOf(start: i32, end: i32): i32 {
  if (byteAt(start) === SLASH) return root | encodingBits
  return (isAbsolute(start, end) ? EVERYWHERE : directory) | encodingBits
}

/**
 * Joins the href from `start` to `end`, which isn't empty and has no fragment. Returns the number of
 * the URL; -1 when it takes the parser to tell, -2 when there is no more room for URLs.
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

/** Returns whether the parser would leave the href as it is: all of it from `from` on, where what it joins begins. */
function isPlain(start: i32, from: i32, end: i32): bool {
  let previous = SLASH
  for (let at = from; at < end; at++) {
    const byte = byteAt(at)
    if (byte === QUESTION) return at > start && isPlainQuery(at + 1, end)
    // A dot may begin a dot segment, a slash an authority; a colon may end a scheme.
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

/** Returns whether an escape of those two digits stays as it is: they are upper case, and it is of use. */
function isCanonicalEscape(high: i32, low: i32): bool {
  const first = digitOf(high)
  const second = digitOf(low)
  return first >= 0 && second >= 0 && !isUnreserved((first << 4) | second)
}

/** The value of a hexadecimal digit, if it is no lower-case letter; else -1. */
function digitOf(byte: i32): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  return byte >= 0x41 && byte <= 0x46 ? byte - 0x37 : -1
}

/** Returns whether RFC 3986 (section 2.3) would not have a character escaped. */
function isUnreserved(byte: i32): bool {
  if (isLetter(byte) || (byte >= 0x30 && byte <= 0x39)) return true
  return byte === DASH || byte === DOT || byte === UNDERSCORE || byte === TILDE
}

function isParent(at: i32, end: i32): bool {
  return at + 3 <= end && byteAt(at) === DOT && byteAt(at + 1) === DOT && byteAt(at + 2) === SLASH
}

/** The length of a directory's parent; the root is its own. */
function parentOf(length: i32): i32 {
  if (length === rootLength) return length
  let at = length - 2
  while (urlByte(self, at) !== SLASH) at--
  return at + 1
}

function startsWithRoot(start: i32, end: i32): bool {
  return end - start >= rootLength && areSame(addressOf(start, rootLength), urlOf(self), rootLength)
}

/** Returns whether the href begins with `http://` or `https://`. */
function isAbsolute(start: i32, end: i32): bool {
  if (end - start < 8) return false
  const begin = load<u64>(addressOf(start, 8))
  // Of eight bytes the last one is shifted out.
  return begin === HTTPS_MARK || begin << 8 === HTTP_MARK << 8
}

/** Returns the index after the next slash of a URL. */
function afterSlash(target: i32, from: i32, length: i32): i32 {
  let at = from
  while (at < length && urlByte(target, at) !== SLASH) at++
  return min(at + 1, length)
}
