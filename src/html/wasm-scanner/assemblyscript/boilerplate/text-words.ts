import {
  FOLDED_AT,
  FOLDED_DIGIT,
  HIGH,
  MAX_WORDS,
  WORD_PRIME,
  WORDS_AT,
} from '../generated/constants.ts'

/** The key of the hashes of words. */
let key: i32 = 0
/** Number of words of the text that was read last. */
export let wordCount: i32 = 0

export function useTextKey(textKey: i32): void {
  key = textKey
}

/** Returns the hash of a word of that text. */
export function wordAt(index: i32): i32 {
  return load<i32>(placeOf(index))
}

/** Reads the words of a text, like `TextWords.read` (html/boilerplate/text-words.ts). */
export function readWords(address: usize, length: i32): void {
  wordCount = 0
  let word = key
  let wordLength = 0
  let isHigh = false
  let hasDigit = false
  for (let at = 0; at <= length; at++) {
    const byte = at < length ? folded(load<u8>(address + at)) : 0
    const isOther = byte >= HIGH !== isHigh
    if (byte === 0 || isOther) {
      if (wordLength > 0 && !hasDigit) add(word)
      word = key
      wordLength = 0
      hasDigit = false
      isHigh = byte >= HIGH
      if (byte === 0) continue
    }
    if (byte === FOLDED_DIGIT) hasDigit = true
    word = (word ^ byte) * WORD_PRIME
    wordLength++
  }
}

function folded(byte: u8): i32 {
  return load<u8>(FOLDED_AT + byte)
}

function add(word: i32): void {
  if (wordCount < MAX_WORDS) store<i32>(placeOf(wordCount++), word)
}

function placeOf(index: i32): usize {
  assert(index >= 0 && index < MAX_WORDS)
  return WORDS_AT + (index << 2)
}
