import { isAt } from '../find.ts'
import {
  DATA_URL_LENGTH,
  DATA_URL_MARK,
  DOUBLE_QUOTE,
  FIRST_PRIME,
  GREATER,
  MAX_RARE,
  MEDIA_SEED,
  QUESTION,
  SECOND_PRIME,
  SINGLE_QUOTE,
  SPACE,
  THOROUGH_EVERY,
  THOROUGH_EVERY_REPEAT,
} from '../generated/constants.ts'
import { countText } from '../imports.ts'
import { addressOf, byteAt } from '../page-bytes.ts'
import { readWords, wordAt, wordCount } from './text-words.ts'
import { hostHash, isUrlWord } from './url-words.ts'

// Corresponds to html/boilerplate/boilerplate-detector.ts, which explains what is counted and why.

let pages: i32 = 0
let repeats: i32 = 0
/** True if the current page has a rare text or rare media. */
export let hasRare: bool = false

export function beginPage(): void {
  hasRare = false
}

/** Counts a text. Returns whether to count the rest of the page as well. */
export function goesOnAfterText(start: i32, end: i32): bool {
  return goesOnAfter(timesTextShown(start, end))
}

/** Counts a sample of media. Returns the same. */
export function goesOnAfterMediaSample(start: i32, end: i32): bool {
  let first = hostHash
  let second = 0
  for (let at = start; at < end; at++) {
    const byte = byteAt(at)
    first = (first ^ byte) * FIRST_PRIME
    second = (second + byte) * SECOND_PRIME
  }
  return goesOnAfter(countText(first, second))
}

/** Counts a tag, or the URL in a style, without the queries of its URLs. Returns the same. */
export function goesOnAfterMedia(start: i32, end: i32): bool {
  let first = hostHash ^ MEDIA_SEED
  let second = 0
  let isLeftOut = false
  for (let at = start; at < end; at++) {
    const byte = byteAt(at)
    if (endsUrl(byte)) isLeftOut = false
    else if (byte === QUESTION || startsDataUrl(at)) isLeftOut = true
    if (isLeftOut) continue
    first = (first ^ byte) * FIRST_PRIME
    second = (second + byte) * SECOND_PRIME
  }
  return goesOnAfter(countText(first, second))
}

/** @param times number of times that a text or media was shown before */
function goesOnAfter(times: i32): bool {
  if (times > MAX_RARE) return true
  const goesOn = hasRare || countPage(times)
  hasRare = true
  return goesOn
}

/** Counts a page. Returns whether it is one of those whose texts are all counted. */
function countPage(times: i32): bool {
  const isNext = pages++ % THOROUGH_EVERY === 0
  const isNextRepeat = times > 0 && repeats++ % THOROUGH_EVERY_REPEAT === 0
  return isNext || isNextRepeat
}

function timesTextShown(start: i32, end: i32): i32 {
  readWords(addressOf(start, end - start), end - start)
  let first = hostHash
  let second = 0
  let bareFirst = first
  let bareSecond = 0
  let bareCount = 0
  for (let i = 0; i < wordCount; i++) {
    const word = wordAt(i)
    first = (first ^ word) * FIRST_PRIME
    second = (second + word) * SECOND_PRIME
    if (isUrlWord(word)) continue
    bareFirst = (bareFirst ^ word) * FIRST_PRIME
    bareSecond = (bareSecond + word) * SECOND_PRIME
    bareCount++
  }
  if (bareCount === 0) return i32.MAX_VALUE
  const times = countText(first, second)
  if (bareCount === wordCount) return times
  return max(times, countText(bareFirst, bareSecond))
}

function endsUrl(byte: i32): bool {
  return byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE || byte === GREATER || byte === SPACE
}

/** Returns whether `data:` is at an index of the page. */
function startsDataUrl(at: i32): bool {
  return isAt(at, DATA_URL_MARK, DATA_URL_LENGTH)
}
