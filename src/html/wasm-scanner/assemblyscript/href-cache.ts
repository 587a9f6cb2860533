import {
  HREF_BYTES,
  HREF_BYTES_AT,
  HREF_HASH,
  HREF_PLACES,
  HREF_REACH,
  HREF_TARGET,
  HREF_WAYS,
  HREF_WORDS,
  HREFS_AT,
  HREFS_SIZE,
  MAX_HREF,
  MAX_HREF_BYTES,
} from './generated/constants.ts'
import { areSame, hashOf } from './hash-bytes.ts'
import { addressOf } from './page-bytes.ts'

/*
 * Remembers the URLs to which hrefs were resolved, by their bytes as written in the page, without `../` at the start.
 * Each href has a reach: the pages on which these bytes resolve to the same URL. The cache is built like that of a
 * processor: each hash has a place with room for a few hrefs, and a new href evicts the oldest one of its place.
 */

/** Number of bytes in use. Each href takes 4 bytes for its length, and its text. */
let hrefBytesUsed: i32 = 0

export function forgetHrefs(): void {
  hrefBytesUsed = 0
  memory.fill(HREFS_AT, 0, HREFS_SIZE)
}

/** Returns the number of the URL to which an href of the page resolves; -1 if it is not remembered. */
export function recallHref(start: i32, length: i32, reach: i32): i32 {
  if (length > MAX_HREF) return -1
  const text = addressOf(start, length)
  const hash = hashOf(text, length, reach)
  const tag = <i32>(hash >>> 32)
  const first = firstAt(hash)
  for (let href = first; href < first + HREF_WAYS; href++) {
    if (field(href, HREF_HASH) === tag && isHref(href, text, length, reach)) {
      return field(href, HREF_TARGET) - 1
    }
  }
  return -1
}

/** Remembers the URL to which an href of the page resolves. */
export function keepHref(start: i32, length: i32, reach: i32, target: i32): void {
  if (length > MAX_HREF) return
  if (hrefBytesUsed + 4 + length > MAX_HREF_BYTES) forgetHrefs()
  const text = addressOf(start, length)
  const hash = hashOf(text, length, reach)
  const first = firstAt(hash)
  memory.copy(placeOf(first + 1, 0), placeOf(first, 0), ((HREF_WAYS - 1) * HREF_WORDS) << 2)
  setField(first, HREF_HASH, <i32>(hash >>> 32))
  setField(first, HREF_REACH, reach)
  setField(first, HREF_BYTES, hrefBytesUsed)
  setField(first, HREF_TARGET, target + 1)
  const kept = keptAt(hrefBytesUsed)
  store<i32>(kept, length)
  memory.copy(kept + 4, text, length)
  hrefBytesUsed += 4 + length
}

/** Returns the first record of the place for a hash. */
function firstAt(hash: u64): i32 {
  return (<i32>hash & (HREF_PLACES - 1)) * HREF_WAYS
}

function isHref(href: i32, text: usize, length: i32, reach: i32): bool {
  if (field(href, HREF_TARGET) === 0 || field(href, HREF_REACH) !== reach) return false
  const kept = keptAt(field(href, HREF_BYTES))
  return load<i32>(kept) === length && areSame(kept + 4, text, length)
}

function keptAt(at: i32): usize {
  assert(at >= 0 && at <= hrefBytesUsed && at + 4 <= MAX_HREF_BYTES)
  return HREF_BYTES_AT + at
}

function field(href: i32, field: i32): i32 {
  return load<i32>(placeOf(href, field))
}

function setField(href: i32, field: i32, value: i32): void {
  store<i32>(placeOf(href, field), value)
}

function placeOf(href: i32, field: i32): usize {
  assert(href >= 0 && href < HREF_WAYS * HREF_PLACES)
  return HREFS_AT + ((href * HREF_WORDS + field) << 2)
}
