import {
  COLON,
  MAX_URL,
  MAX_URL_WORDS,
  PASSED_URL_AT,
  SLASH,
  URL_WORDS_AT,
} from '../generated/constants.ts'
import { readWords, wordAt, wordCount } from './text-words.ts'

/** Hash of the host and port of the page. */
export let hostHash: i32 = 0
let count: i32 = 0
/** One bit for each word, by its hash. It rules out most words of a text. */
let mask: i32 = 0

/** Reads the URL in `passedUrl`, like `UrlWords.take` (html/boilerplate/url-words.ts). */
export function readUrl(length: i32): void {
  assert(length >= 0 && length <= MAX_URL)
  const hostStart = hostStartOf(length)
  let at = hostStart
  hostHash = 0
  for (; at < length && urlByte(at) !== SLASH; at++) hostHash = hostHash * 31 + urlByte(at)
  readWords(PASSED_URL_AT + at, length - at)
  count = min(wordCount, MAX_URL_WORDS)
  mask = 0
  for (let i = 0; i < count; i++) {
    const word = wordAt(i)
    store<i32>(placeOf(i), word)
    mask |= 1 << (word >>> 27)
  }
}

/** Returns whether a word of this hash is in the URL. */
export function isUrlWord(word: i32): bool {
  if ((mask & (1 << (word >>> 27))) === 0) return false
  for (let i = 0; i < count; i++) if (load<i32>(placeOf(i)) === word) return true
  return false
}

/** Returns the index after the `//` of the URL. */
function hostStartOf(length: i32): i32 {
  let at = 0
  while (at < length && urlByte(at) !== COLON) at++
  return min(length, at + '://'.length)
}

function urlByte(at: i32): i32 {
  return load<u8>(PASSED_URL_AT + at)
}

function placeOf(index: i32): usize {
  assert(index >= 0 && index < MAX_URL_WORDS)
  return URL_WORDS_AT + (index << 2)
}
