/** Minimum length of an id that mixes letters and digits: hexadecimal, UUID, base64. */
const MIN_LENGTH = 12
const ALPHABET = /^[\w~-]*$/

/** Returns whether a text looks like a random id. @param turns the result of `digitTurns`, if it is known */
export function looksRandom(text: string, turns?: number): boolean {
  return text.length >= MIN_LENGTH && ALPHABET.test(text) && (turns ?? digitTurns(text)) > 3
}

/**
 * Counts the starts and ends of runs of digits. The result is 0 without digits, low for names, and high for ids, in
 * which letters and digits alternate.
 */
export function digitTurns(text: string): number {
  let turns = 0
  let wasDigit = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 0x30 && code <= 0x39
    if (isDigit !== wasDigit) turns++
    wasDigit = isDigit
  }
  return wasDigit ? turns + 1 : turns
}
